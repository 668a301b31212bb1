package wire

import "frontdesk.dev/frontdesk/internal/frontdesk"

// appendList appends the list envelope around items.
func appendList[T any](b []byte, l frontdesk.List[T], id func(T) frontdesk.ID, item func([]byte, T) []byte) []byte {
	b = append(b, `{"object":"list","data":[`...)
	for i, v := range l.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(b, v)
	}
	next := l.Next
	if next == "" && len(l.Items) > 0 {
		next = id(l.Items[len(l.Items)-1])
	}
	if !l.More || next == "" {
		return append(b, `],"has_more":false,"next_starting_after":null}`...)
	}
	b = append(b, `],"has_more":true,"next_starting_after":"`...)
	b = append(b, next...)
	return append(b, `"}`...)
}

// Deleted spells that something is gone.
func Deleted(id frontdesk.ID) any {
	return struct {
		Deleted bool         `json:"deleted"`
		ID      frontdesk.ID `json:"id"`
	}{true, id}
}
