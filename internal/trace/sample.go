package trace

import (
	"encoding/binary"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

// randomBits is how many bits at the end of a trace's id are random: of a UUID as
// well, whose others tell the time and the version.
const randomBits = 56

// sampler decides which traces are recorded, by the random part of their ids: all
// nodes with one ratio come to the same.
type sampler struct{ threshold uint64 }

var _ sdk.Sampler = sampler{}

// ShouldSample decides on a span that is not part of another.
func (s sampler) ShouldSample(p sdk.SamplingParameters) sdk.SamplingResult {
	if s.takes(randomOf(p.TraceID)) {
		return sdk.SamplingResult{Decision: sdk.RecordAndSample}
	}
	return sdk.SamplingResult{Decision: sdk.Drop}
}

// Description names the sampler.
func (s sampler) Description() string { return "ratio" }

// takes says whether what has these random bits is recorded.
func (s sampler) takes(random uint64) bool { return random&(1<<randomBits-1) < s.threshold }

func randomOf(id otel.TraceID) uint64 { return binary.BigEndian.Uint64(id[8:]) }
