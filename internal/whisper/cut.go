package whisper

// withoutLogits is a merged decoder that gives its states instead of logits, and
// the table of words with which logits are made of them. A decoder of another
// build than we know is returned as it is, without a table.
func withoutLogits(model []byte, width int64) ([]byte, *wordTable, error) {
	fields, err := parse(model)
	if err != nil {
		return nil, nil, err
	}
	graph, err := parse(first(fields, modelGraph))
	if err != nil {
		return nil, nil, err
	}
	known, err := constants(graph)
	if err != nil {
		return nil, nil, err
	}
	var product wordProduct
	changed := 0
	for i, f := range graph {
		switch f.number {
		case graphNode:
			node, p, err := cutBranches(f.contents)
			if err != nil {
				return nil, nil, err
			}
			if node != nil {
				graph[i].contents, product = node, p
				changed++
			}
		case graphOutput:
			if isNamed(f.contents, "logits") {
				graph[i] = value(graphOutput, "logits", kindFloat)
			}
		}
	}
	table := product.table(known, width)
	if changed != 1 || table == nil {
		return model, nil, nil
	}
	for i, f := range fields {
		if f.number == modelGraph {
			fields[i] = messageField(modelGraph, graph...)
		}
	}
	return write(make([]byte, 0, len(model)), fields...), table, nil
}

// isNamed says whether a declared value has that name.
func isNamed(declared []byte, called string) bool {
	fields, err := parse(declared)
	return err == nil && string(first(fields, valueName)) == called
}

// wordProduct names what a graph's logits are made of.
type wordProduct struct {
	state              string // the decoder's states
	words, scale, zero string // constants
}

// table is the constants of a product, if they have the form that we know.
func (p wordProduct) table(known map[string]tensor, width int64) *wordTable {
	rows, scale := known[p.words], known[p.scale].table()
	zero, ok := known[p.zero].small()
	if !ok || len(scale) != 1 || rows.kind != kindUint8 || len(rows.dims) != 2 || rows.dims[1] != uint64(width) || uint64(len(rows.data)) != rows.dims[0]*rows.dims[1] {
		return nil
	}
	return &wordTable{rows: rows.data, words: int(rows.dims[0]), width: int(width), zero: zero, scale: scale[0]}
}

// cutBranches is a node If whose branches give states in the place of logits; nil
// if the node is another, or its branches have another form.
func cutBranches(b []byte) (changed []byte, product wordProduct, err error) {
	fields, err := parse(b)
	if err != nil || string(first(fields, nodeOp)) != "If" {
		return nil, product, err
	}
	branches := 0
	for i, f := range fields {
		if f.number != nodeAttribute {
			continue
		}
		attribute, err := parse(f.contents)
		if err != nil {
			return nil, product, err
		}
		for j, a := range attribute {
			if a.number != attributeGraph {
				continue
			}
			branch, p, err := cutBranch(a.contents)
			if err != nil || branch == nil || branches > 0 && p.words != product.words {
				return nil, product, err
			}
			attribute[j] = messageField(attributeGraph, branch...)
			product = p
			branches++
		}
		fields[i] = messageField(nodeAttribute, attribute...)
	}
	if branches != 2 {
		return nil, product, nil
	}
	return write(nil, fields...), product, nil
}

// made is a node, by what it makes.
type made struct {
	op     string
	inputs []string
}

// cutBranch leaves out how logits are made of states:
//
//	Transpose(words) -> DequantizeLinear(scale, zero) -> MatMul(states, ...) -> logits
func cutBranch(b []byte) (changed []field, product wordProduct, err error) {
	graph, err := parse(b)
	if err != nil {
		return nil, product, err
	}
	nodes := map[string]made{}
	for _, b := range all(graph, graphNode) {
		fields, err := parse(b)
		if err != nil {
			return nil, product, err
		}
		n := made{op: string(first(fields, nodeOp))}
		for _, input := range all(fields, nodeInput) {
			n.inputs = append(n.inputs, string(input))
		}
		nodes[string(first(fields, nodeOutput))] = n
	}
	matmul, ok := nodes["logits"]
	if !ok || !matmul.is("MatMul", 2) {
		return nil, product, nil
	}
	floats, ok := nodes[matmul.inputs[1]]
	if !ok || !floats.is("DequantizeLinear", 3) {
		return nil, product, nil
	}
	turned, ok := nodes[floats.inputs[0]]
	if !ok || !turned.is("Transpose", 1) {
		return nil, product, nil
	}
	product = wordProduct{state: matmul.inputs[0], words: turned.inputs[0], scale: floats.inputs[1], zero: floats.inputs[2]}
	unused := map[string]bool{"logits": true, matmul.inputs[1]: true, floats.inputs[0]: true}
	for _, f := range graph {
		switch {
		case f.number == graphNode && unused[outputOf(f.contents)]:
		case f.number == graphOutput && isNamed(f.contents, "logits"):
			changed = append(changed, value(graphOutput, product.state, kindFloat))
		default:
			changed = append(changed, f)
		}
	}
	return changed, product, nil
}

func (m made) is(op string, inputs int) bool { return m.op == op && len(m.inputs) == inputs }

// outputOf is the first thing that a node makes.
func outputOf(node []byte) string {
	fields, err := parse(node)
	if err != nil {
		return ""
	}
	return string(first(fields, nodeOutput))
}
