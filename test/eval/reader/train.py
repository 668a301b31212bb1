#!/usr/bin/env python3
"""Trains the reader of internal/reader: whether a passage answers a question.

    go run ./test/eval lessons LESSONS TOKENIZER      what it is trained on, as numbers
    train.py start LESSONS MODEL START                where it starts, from all-MiniLM-L6-v2
    train.py train LESSONS START OUT [options]        trains, and writes OUT/reader.bin
    train.py folds LESSONS START OUT [options]        how it judges businesses left out of its training

MODEL is the folder of all-MiniLM-L6-v2 with model.fp16.safetensors and tokenizer.json
(Apache-2.0). It needs PyTorch and NumPy, and runs without an accelerator too: slowly.
"""
import argparse
import hashlib
import json
import math
import os
import struct
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

HIDDEN, HEADS, INNER, POSITIONS = 384, 12, 1536, 192
DIM = HIDDEN // HEADS
MOST_QUESTION, MOST_PASSAGE = 48, 128
PAD, UNK, CLS, SEP = 0, 1, 2, 3
HITS = 8
GROUP = 8  # passages with a question


# --- what it is trained on -------------------------------------------------------

class Lessons:
    def __init__(self, folder, device):
        read = lambda name, kind: np.fromfile(os.path.join(folder, name), dtype=kind)
        self.folder, self.device = folder, device
        self.vocabulary = open(os.path.join(folder, "vocabulary.txt"), encoding="utf-8").read().split("\n")[:-1]
        ends = read("ends.u32", "<u4").astype(np.int64)
        begins = np.concatenate([[0], ends[:-1]])
        # The last text is empty: what is not there.
        self.begins = torch.tensor(np.append(begins, ends[-1]), device=device)
        self.lengths = torch.tensor(np.append(ends - begins, 0), device=device)
        self.pieces = torch.tensor(np.append(read("pieces.u16", "<u2").astype(np.int64), 0), device=device)
        self.facts = read("facts.i32", "<i4").reshape(-1, 4)
        self.asked = read("asked.i32", "<i4").reshape(-1, 3)
        self.hits = read("hits.u8", "u1").reshape(-1, 2, HITS)
        self.pairs = read("pairs.i32", "<i4").reshape(-1, 2)
        self.labelled = read("labelled.i32", "<i4").reshape(-1, 4 + 2 * HITS)
        self.exam = read("exam.i32", "<i4").reshape(-1, 4 + 2 * HITS)
        self.nothing = len(ends)

    def hash(self):
        h = hashlib.sha256()
        for name in sorted(os.listdir(self.folder)):
            h.update(open(os.path.join(self.folder, name), "rb").read())
        return h.hexdigest()

    def sequences(self, questions, passages):
        """The pieces, the types and the mask of questions [n] with passages of up to k texts [n, k]."""
        device = self.device
        texts = torch.tensor(np.concatenate([questions[:, None], passages], 1), device=device)
        lengths = self.lengths[texts]
        lengths[:, 0] = lengths[:, 0].clamp(max=MOST_QUESTION)
        room = MOST_PASSAGE - (lengths[:, 1:].cumsum(1) - lengths[:, 1:])
        lengths[:, 1:] = torch.minimum(lengths[:, 1:], room.clamp(min=0))
        before = lengths.cumsum(1) - lengths
        starts = before + 1
        starts[:, 1:] += 1
        total = lengths.sum(1) + 3
        n, longest = len(texts), int(total.max())
        ids = torch.zeros(n, longest, dtype=torch.long, device=device)
        for j in range(texts.shape[1]):
            most = int(lengths[:, j].max())
            if most == 0:
                continue
            row, at = (torch.arange(most, device=device)[None] < lengths[:, j, None]).nonzero(as_tuple=True)
            ids[row, starts[row, j] + at] = self.pieces[self.begins[texts[row, j]] + at]
        rows = torch.arange(n, device=device)
        ids[:, 0] = CLS
        ids[rows, lengths[:, 0] + 1] = SEP
        ids[rows, total - 1] = SEP
        place = torch.arange(longest, device=device)[None]
        return ids, (place > lengths[:, 0, None] + 1).long() * (place < total[:, None]), place < total[:, None]

    def from_facts(self, random, n):
        """n questions about facts, each with GROUP passages of up to 5 texts; the first answers."""
        rows = random.integers(len(self.asked), size=n)
        fact, lang = self.asked[rows, 0], random.integers(2, size=n)
        base = fact // 24 * 24
        last = np.minimum(base + 24, len(self.facts)) - 1
        written = lambda f: self.facts[f, 2 + lang]
        hits = self.hits[rows, lang].astype(np.int64)
        groups = np.full((n, GROUP, 5), self.nothing)

        def another():
            """Facts beside the own one: mostly what is found for the question, else neighbours."""
            near = np.clip(fact + random.integers(-6, 7, size=n), base, last)
            hit = hits[np.arange(n), random.integers(HITS, size=n)]
            hit = np.where(hit == 255, near, np.minimum(base + hit, last))
            other = np.where(random.random(n) < .65, hit, near)
            other = np.where(other == fact, np.where(fact < last, fact + 1, np.maximum(fact - 1, base)), other)
            return other

        # The own fact, alone or among others, and the same without it.
        more = np.where(random.random(n) < .5, 0, random.integers(1, 5, size=n))
        place = (random.random(n) * (more + 1)).astype(int)
        for k in range(5):
            other = written(another())
            groups[:, 0, k] = np.where(k == place, written(fact), np.where(k <= more, other, self.nothing))
            groups[:, 1, k] = np.where(k == place, np.where(more == 0, other, self.nothing), groups[:, 0, k])
        for g in range(2, GROUP):
            more = np.where(random.random(n) < .6, 0, random.integers(1, 5, size=n))
            for k in range(5):
                groups[:, g, k] = np.where(k <= more, written(another()), self.nothing)
        right = np.zeros((n, GROUP), dtype=np.float32)
        right[:, 0] = 1
        return self.asked[rows, 2], groups, right

    def from_labelled(self, random, n, rows):
        """n questions to businesses, with what is found for them."""
        some = rows[random.integers(len(rows), size=n)]
        return self.of(some)

    def of(self, some):
        groups = np.full((len(some), GROUP, 5), self.nothing)
        texts = some[:, 4::2]
        groups[:, :, 0] = np.where(texts < 0, self.nothing, texts)
        return some[:, 2], groups, some[:, 5::2].astype(np.float32)


# --- the network -----------------------------------------------------------------

class Rounded(torch.autograd.Function):
    """Weights as the reader keeps them: seven bits, one scale a row."""

    @staticmethod
    def forward(ctx, w):
        scale = w.abs().amax(1, keepdim=True).clamp(min=1e-8) / 63
        return (w / scale).round() * scale

    @staticmethod
    def backward(ctx, slope):
        return slope


class Linear(torch.nn.Linear):
    rounded = False

    def forward(self, x):
        return F.linear(x, Rounded.apply(self.weight) if Linear.rounded else self.weight, self.bias)


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = Linear(HIDDEN, 3 * HIDDEN), Linear(HIDDEN, HIDDEN)
        self.up, self.down = Linear(HIDDEN, INNER), Linear(INNER, HIDDEN)
        self.norm1, self.norm2 = torch.nn.LayerNorm(HIDDEN, 1e-12), torch.nn.LayerNorm(HIDDEN, 1e-12)

    def forward(self, x, hidden, drop):
        n, length, _ = x.shape
        q, k, v = self.qkv(x).view(n, length, 3, HEADS, DIM).permute(2, 0, 3, 1, 4)
        if hasattr(F, "scaled_dot_product_attention"):
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=hidden.to(q.dtype).expand(n, 1, length, length))
        else:
            mixed = ((q @ k.transpose(2, 3)) / math.sqrt(DIM) + hidden).softmax(-1) @ v
        mixed = mixed.transpose(1, 2).reshape(n, length, HIDDEN)
        x = self.norm1(x + drop(self.out(mixed)))
        return self.norm2(x + drop(self.down(F.gelu(self.up(x)))))


class Reader(torch.nn.Module):
    def __init__(self, pieces, layers):
        super().__init__()
        self.word = torch.nn.Embedding(pieces, HIDDEN)
        self.position = torch.nn.Embedding(POSITIONS, HIDDEN)
        self.part = torch.nn.Embedding(2, HIDDEN)
        self.norm = torch.nn.LayerNorm(HIDDEN, 1e-12)
        self.layers = torch.nn.ModuleList(Layer() for _ in range(layers))
        self.head = torch.nn.Linear(HIDDEN, 1)
        torch.nn.init.normal_(self.head.weight, std=.02)
        torch.nn.init.zeros_(self.head.bias)

    def states(self, ids, types, mask):
        drop = lambda x: F.dropout(x, .1, self.training)
        x = self.word(ids) + self.position.weight[None, :ids.shape[1]] + self.part(types)
        x = drop(self.norm(x))
        hidden = torch.zeros(mask.shape, device=ids.device).masked_fill(~mask, -1e4)[:, None, None]
        for layer in self.layers:
            x = layer(x, hidden, drop)
        return x

    def forward(self, ids, types, mask):
        return self.head(self.states(ids, types, mask)[:, 0]).float().squeeze(-1)

    def meaning(self, ids, mask):
        x = self.states(ids, torch.zeros_like(ids), mask).float()
        x = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return F.normalize(x, dim=-1)


# --- where it starts -------------------------------------------------------------

def safetensors(file):
    data = open(file, "rb").read()
    size = struct.unpack("<Q", data[:8])[0]
    kinds = {"F16": np.float16, "F32": np.float32, "I64": np.int64}
    return {
        name: np.frombuffer(data[8 + size + t["data_offsets"][0]:8 + size + t["data_offsets"][1]], dtype=kinds[t["dtype"]]).reshape(t["shape"])
        for name, t in json.loads(data[8:8 + size]).items() if name != "__metadata__"
    }


def aligned(lines, rounds=5):
    """For each Spanish word the English ones that stand where it stands, with their share."""
    pairs = []
    for line in lines:
        es, en = (set(part.split()) for part in line.split("\t"))
        if es and en:
            pairs.append((sorted(es), sorted(en)))
    share = {}
    for round in range(rounds):
        counts, totals = {}, {}
        for es, en in pairs:
            for e in en:
                known = [share.get((s, e), 1.0 if round == 0 else 1e-9) for s in es]
                total = sum(known)
                for s, k in zip(es, known):
                    counts[s, e] = counts.get((s, e), 0) + k / total
        for (s, e), c in counts.items():
            totals[s] = totals.get(s, 0) + c
        share = {(s, e): c / totals[s] for (s, e), c in counts.items()}
    best = {}
    for (s, e), p in share.items():
        best.setdefault(s, []).append((p, e))
    return {s: sorted(all, reverse=True)[:4] for s, all in best.items()}


def start(lessons, model, out):
    names = open(os.path.join(lessons, "vocabulary.txt"), encoding="utf-8").read().split("\n")[:-1]
    english = json.load(open(os.path.join(model, "tokenizer.json")))["model"]["vocab"]
    tensors = safetensors(os.path.join(model, "model.fp16.safetensors"))
    tensors = {name.removeprefix("bert.").removeprefix("model."): t for name, t in tensors.items()}
    words = tensors["embeddings.word_embeddings.weight"].astype(np.float32)
    lines = open(os.path.join(lessons, "parallel.txt"), encoding="utf-8").read().split("\n")[:-1]
    translated = aligned(lines)

    def vector(word):
        """Of an English word: of it, or the mean of its longest pieces."""
        if word in english:
            return words[english[word]]
        parts, rest = [], word
        while rest:
            for n in range(len(rest), 0, -1):
                name = rest[:n] if not parts else "##" + rest[:n]
                if name in english:
                    parts.append(words[english[name]])
                    rest = rest[n:]
                    break
            else:
                return None
        return np.mean(parts, 0)

    special = {"[PAD]": "[PAD]", "[UNK]": "[UNK]", "[CLS]": "[CLS]", "[SEP]": "[SEP]"}
    table, made = np.zeros((len(names), HIDDEN), np.float32), 0
    for i, name in enumerate(names):
        if special.get(name, name) in english:
            table[i] = words[english[special.get(name, name)]]
            continue
        mix = [(p, vector(e)) for p, e in translated.get(name, [])]
        mix = [(p, v) for p, v in mix if v is not None]
        if mix:
            table[i] = sum(p * v for p, v in mix) / sum(p for p, _ in mix)
            made += 1
        else:
            table[i] = words.mean(0)
    arrays = {}

    def put(name, weights):
        """Weights with a byte each: that is enough to start from."""
        weights = weights.astype(np.float32)
        scale = np.abs(weights).max(1) / 127 + 1e-12
        arrays[name], arrays[name + ".scale"] = np.round(weights / scale[:, None]).astype(np.int8), scale.astype(np.float32)

    put("word", table)
    arrays["position"] = tensors["embeddings.position_embeddings.weight"][:POSITIONS]
    arrays["type"] = tensors["embeddings.token_type_embeddings.weight"]
    for part in ("weight", "bias"):
        arrays["norm." + part] = tensors["embeddings.LayerNorm." + part]
    for i in range(6):
        at = f"encoder.layer.{i}."
        for part in ("weight", "bias"):
            parts = {"qkv": np.concatenate([tensors[at + f"attention.self.{x}.{part}"] for x in ("query", "key", "value")])}
            for ours, theirs in (("out", "attention.output.dense"), ("norm1", "attention.output.LayerNorm"), ("up", "intermediate.dense"), ("down", "output.dense"), ("norm2", "output.LayerNorm")):
                parts[ours] = tensors[at + f"{theirs}.{part}"]
            for ours, weights in parts.items():
                if weights.ndim == 2:
                    put(f"{i}.{ours}.{part}", weights)
                else:
                    arrays[f"{i}.{ours}.{part}"] = weights
    np.savez_compressed(out, **arrays)
    print(f"{len(names)} pieces, {made} of them from their translations")


def started(file, pieces, layers, device):
    """The network at its start. Of six layers some are kept, the first and the last among them."""
    arrays = np.load(file)
    net = Reader(pieces, layers).to(device)


    def put(to, name):
        a = arrays[name].astype(np.float32)
        if name + ".scale" in arrays:
            a = a * arrays[name + ".scale"][:, None]
        to.data.copy_(torch.tensor(a))

    put(net.word.weight, "word")
    put(net.position.weight, "position")
    put(net.part.weight, "type")
    put(net.norm.weight, "norm.weight")
    put(net.norm.bias, "norm.bias")
    for layer, i in zip(net.layers, np.round(np.linspace(0, 5, layers)).astype(int)):
        for name in ("qkv", "out", "norm1", "up", "down", "norm2"):
            put(getattr(layer, name).weight, f"{i}.{name}.weight")
            put(getattr(layer, name).bias, f"{i}.{name}.bias")
    return net


# --- training --------------------------------------------------------------------

class Steps:
    """Adam with a rate that rises for a tenth of the steps and falls to nothing."""

    def __init__(self, net, rate, steps):
        slow = [p for name, p in net.named_parameters() if p.ndim > 1 and not name.startswith("word")]
        others = [p for name, p in net.named_parameters() if not (p.ndim > 1 and not name.startswith("word"))]
        self.net = net
        self.optimizer = torch.optim.AdamW([{"params": slow, "weight_decay": .01}, {"params": others, "weight_decay": 0.}], lr=rate)
        self.rate = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: min((s + 1) / (.1 * steps + 1), (steps - s) / (.9 * steps + 1)))

    def down(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.)
        self.optimizer.step()
        self.rate.step()


def fast(device):
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda")


def align(net, lessons, o, random):
    """Has texts of both languages mean what the English one means to the network at its start."""
    teacher = started(o.start, len(lessons.vocabulary), 6, lessons.device).eval()
    pairs = np.concatenate([lessons.facts[:, 2:4], lessons.pairs])
    # Facts count as often as words, of which there are as many.
    steps = Steps(net, 3e-4, o.align)
    empty = np.full((o.batch * 2, 1), lessons.nothing)

    def alone(texts):
        ids, _, mask = lessons.sequences(texts, empty[:len(texts)])
        # Without the mark that would end the passage.
        return ids[:, :-1], mask[:, 1:]

    for step in range(o.align):
        some = pairs[random.integers(len(pairs), size=o.batch)]
        with fast(lessons.device):
            with torch.no_grad():
                target = teacher.meaning(*alone(some[:, 1]))
            loss = 0
            for texts in (some[:, 0], some[:, 1]):
                loss = loss + (1 - (net.meaning(*alone(texts)) * target).sum(1)).mean()
        steps.down(loss)
        tell(o, step, o.align, "align", loss)


def teach(net, lessons, o, random, steps, rate, labelled=None, share=0., name="facts"):
    net.train()
    descent = Steps(net, rate, steps)
    known = int(o.batch * share)
    for step in range(steps):
        parts = [lessons.from_facts(random, o.batch - known)]
        if known:
            parts.append(lessons.from_labelled(random, known, labelled))
        questions, groups, right = (np.concatenate(p) for p in zip(*parts))
        loss = judged(net, lessons, questions, groups, right)
        descent.down(loss)
        tell(o, step, steps, name, loss)


def scores(net, lessons, questions, groups):
    n = len(questions)
    with fast(lessons.device):
        return net(*lessons.sequences(np.repeat(questions, GROUP), groups.reshape(n * GROUP, 5))).view(n, GROUP)


def judged(net, lessons, questions, groups, right):
    s = scores(net, lessons, questions, groups)
    right = torch.tensor(right, device=lessons.device)
    there = torch.tensor(groups[:, :, 0] != lessons.nothing, device=lessons.device) | (right > 0)
    loss = (F.binary_cross_entropy_with_logits(s, right, reduction="none") * there).sum() / there.sum()
    has = right.sum(1) > 0
    s = s.masked_fill(~there, -1e4)
    best = torch.logsumexp(s.masked_fill(right == 0, -1e4), 1) - torch.logsumexp(s, 1)
    return loss + .3 * -(best * has).sum() / has.sum().clamp(min=1)


began = time.time()


def tell(o, step, steps, name, loss):
    if step % max(1, steps // 12) == 0 or step == steps - 1:
        print(f"{time.time() - began:6.1f} s  {name} {step + 1}/{steps}  {loss.item():.4f}", flush=True)


def judge(net, lessons, rows):
    """The scores of what was found for questions to businesses."""
    net.eval()
    with torch.no_grad():
        return np.concatenate([scores(net, lessons, *lessons.of(rows[i:i + 64])[:2]).float().cpu().numpy() for i in range(0, len(rows), 64)]) if len(rows) else np.zeros((0, GROUP), np.float32)


def auroc(yes, no):
    order = np.argsort(np.concatenate([yes, no]), kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    return (ranks[:len(yes)].sum() - len(yes) * (len(yes) + 1) / 2) / (len(yes) * len(no))


def figures(rows, s, name):
    """How well the scores of the first two alone tell what can be answered."""
    if len(rows) == 0:
        return {}
    answerable, right = rows[:, 3] > 0, rows[:, 5::2] > 0
    two = np.where(rows[:, 4:8:2] < 0, -99, s[:, :2])
    best = two.max(1)
    out = {
        "questions": len(rows), "auroc": round(float(auroc(best[answerable], best[~answerable])), 4),
        "first_before": round(float(right[answerable, 0].mean()), 4),
        "first": round(float(right[np.arange(len(rows)), two.argmax(1)][answerable].mean()), 4),
        "at_10_false": round(float((best[answerable] > np.quantile(best[~answerable], .9)).mean()), 4),
    }
    print(name, json.dumps(out), flush=True)
    return out


# --- the file --------------------------------------------------------------------

def export(net, lessons, told, file):
    out = bytearray()

    def pad():
        out.extend(b"\0" * (-len(out) % 64))

    def floats(t):
        out.extend(t.detach().float().cpu().numpy().astype("<f4").tobytes())
        pad()

    def linear(layer):
        w = layer.weight.detach().float().cpu().numpy()  # outputs × inputs
        scale = np.maximum(np.abs(w).max(1), 1e-8).astype(np.float32) / 63
        q = np.clip(np.round(w / scale[:, None]), -63, 63).astype(np.int8)
        n, k = q.shape
        out.extend(np.ascontiguousarray(q.reshape(n // 16, 16, k // 4, 4).transpose(0, 2, 1, 3)).tobytes())
        pad()
        out.extend(scale.astype("<f4").tobytes())
        pad()
        floats(layer.bias)
        out.extend(q.astype(np.int32).sum(1).astype("<i4").tobytes())
        pad()

    out.extend(b"fdread1\n")
    out.extend(struct.pack("<6I", HIDDEN, HEADS, INNER, len(net.layers), len(lessons.vocabulary), POSITIONS))
    for name in lessons.vocabulary:
        text = name.encode()
        out.append(len(text))
        out.extend(text)
    pad()
    w = net.word.weight.detach().float().cpu().numpy()
    scale = np.maximum(np.abs(w).max(1), 1e-12).astype(np.float32) / 127
    out.extend(np.round(w / scale[:, None]).astype(np.int8).tobytes())
    pad()
    out.extend(scale.astype("<f4").tobytes())
    pad()
    floats(net.position.weight)
    floats(net.part.weight)
    floats(net.norm.weight)
    floats(net.norm.bias)
    for layer in net.layers:
        linear(layer.qkv)
        linear(layer.out)
        floats(layer.norm1.weight)
        floats(layer.norm1.bias)
        linear(layer.up)
        linear(layer.down)
        floats(layer.norm2.weight)
        floats(layer.norm2.bias)
    floats(net.head.weight)
    floats(net.head.bias)
    text = json.dumps(told, sort_keys=True).encode()
    out.extend(struct.pack("<I", len(text)))
    out.extend(text)
    open(file, "wb").write(out)
    print(f"{file}: {len(out)} bytes, sha256 {hashlib.sha256(out).hexdigest()}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["start", "train", "folds"])
    p.add_argument("lessons")
    p.add_argument("start")
    p.add_argument("out")
    p.add_argument("--layers", type=int, default=6)
    p.add_argument("--batch", type=int, default=288)
    p.add_argument("--align", type=int, default=900, help="steps")
    p.add_argument("--facts", type=int, default=2300, help="steps")
    p.add_argument("--businesses", type=int, default=450, help="steps")
    p.add_argument("--share", type=float, default=.33, help="of questions to businesses in these")
    p.add_argument("--folds", type=int, default=4)
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args()
    if o.what == "start":
        return start(o.lessons, o.start, o.out)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(o.seed)
    random = np.random.default_rng(o.seed)
    lessons = Lessons(o.lessons, device)
    os.makedirs(o.out, exist_ok=True)
    taught = os.path.join(o.out, "facts.pt")
    if o.what == "train":
        net = started(o.start, len(lessons.vocabulary), o.layers, device)
        align(net, lessons, o, random)
        teach(net, lessons, o, random, o.facts, 2e-4)
        torch.save(net.state_dict(), taught)
        figures(lessons.exam, judge(net, lessons, lessons.exam), "exam after the facts")
        Linear.rounded = True
        teach(net, lessons, o, random, o.businesses, 5e-5, lessons.labelled, o.share, "businesses")
        s = judge(net, lessons, lessons.exam)
        told = {"exam": figures(lessons.exam, s, "exam"), "lessons": lessons.hash(), "from": "all-MiniLM-L6-v2 (Apache-2.0)", "steps": [o.align, o.facts, o.businesses], "seed": o.seed}
        s.astype("<f4").tofile(os.path.join(o.out, "exam.f32"))
        export(net, lessons, told, os.path.join(o.out, "reader.bin"))
        return
    # Businesses in a row, in the order of their trades' names, are left out together.
    count = lessons.labelled[:, 0].max() + 1
    all = np.zeros((len(lessons.labelled), GROUP), np.float32)
    Linear.rounded = True
    for fold in range(o.folds):
        net = started(o.start, len(lessons.vocabulary), o.layers, device)
        net.load_state_dict(torch.load(taught))
        out = lessons.labelled[:, 0] * o.folds // count == fold
        teach(net, lessons, o, random, o.businesses, 5e-5, lessons.labelled[~out], o.share, f"fold {fold}")
        all[out] = judge(net, lessons, lessons.labelled[out])
        figures(lessons.labelled[out], all[out], f"fold {fold}")
    figures(lessons.labelled, all, "left out")
    keys = np.fromfile(os.path.join(o.lessons, "labelled.u64"), dtype="<u8")
    told = np.zeros(len(keys), dtype=[("key", "<u8"), ("score", "<f4")])
    told["key"], told["score"] = keys, all.reshape(-1)
    told[keys != 0].tofile(os.path.join(o.out, "left-out.bin"))


if __name__ == "__main__":
    main()
