/* The sound of a spoken conversation, on the browser's own thread for sound: the
 * microphone as the server takes it, and what the server sends as it is heard. Both
 * are 16,000 samples a second there, and whatever the machine likes here.
 */
const there = 16000;

// Resampler turns one rate into another, with a filter that keeps out what the slower
// of the two cannot hold. It answers later by half the length of the filter.
class Resampler {
	constructor(from, to) {
		const cut = 0.92 * Math.min(1, to / from);
		this.step = from / to;
		this.half = Math.ceil(12 / cut);
		this.phases = 256;
		this.taps = Array.from({ length: this.phases }, (_, phase) => Float32Array.from({ length: 2 * this.half }, (_, i) => {
			const x = i - this.half + 1 - phase / this.phases;
			const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / this.half);
			return window * (x ? Math.sin(Math.PI * cut * x) / (Math.PI * x) : cut);
		}));
		this.have = new Float32Array(2 * this.half);
		this.at = this.half; // of the next sample, among those that we have
	}

	write(samples) {
		const have = new Float32Array(this.have.length + samples.length);
		have.set(this.have);
		have.set(samples, this.have.length);
		const out = [];
		for (; this.at + this.half < have.length; this.at += this.step) {
			const before = Math.floor(this.at);
			const taps = this.taps[Math.floor((this.at - before) * this.phases)];
			let sum = 0;
			for (let i = 0; i < taps.length; i++) sum += taps[i] * have[before - this.half + 1 + i];
			out.push(sum);
		}
		const done = Math.floor(this.at) - this.half;
		this.have = have.slice(done);
		this.at -= done;
		return out;
	}
}

// Ear hands on what the microphone hears, 40 ms at a time.
registerProcessor('frontdesk-ear', class extends AudioWorkletProcessor {
	constructor() {
		super();
		this.resampler = new Resampler(sampleRate, there);
		this.silence = new Float32Array(128);
		this.piece = new Int16Array(there / 25);
		this.filled = 0;
	}

	process([[heard]]) {
		for (const s of this.resampler.write(heard || this.silence)) {
			this.piece[this.filled++] = Math.max(-32768, Math.min(32767, Math.round(s * 32767)));
			if (this.filled < this.piece.length) continue;
			this.port.postMessage(this.piece.buffer, [this.piece.buffer]);
			this.piece = new Int16Array(there / 25);
			this.filled = 0;
		}
		return true;
	}
});

// Mouth plays what it is given. It begins a little late, so that a network that
// stumbles is not heard, and plays silence while there is nothing. Null drops all.
registerProcessor('frontdesk-mouth', class extends AudioWorkletProcessor {
	constructor() {
		super();
		this.resampler = new Resampler(there, sampleRate);
		this.drop();
		this.port.onmessage = ({ data }) => (data ? this.take(new Int16Array(data)) : this.drop());
	}

	drop() {
		this.waiting = [];
		this.at = 0; // in the first of them
		this.length = 0;
		this.pause = 0;
	}

	take(pcm) {
		const longest = 10 * sampleRate;
		if (!this.length) this.pause = 0.08 * sampleRate;
		const samples = this.resampler.write(Float32Array.from(pcm, (s) => s / 32768));
		this.waiting.push(samples);
		this.length += samples.length;
		while (this.length > longest) {
			this.length -= this.waiting.shift().length - this.at;
			this.at = 0;
		}
	}

	process(_, [[out]]) {
		if (this.pause > 0) {
			this.pause -= out.length;
			return true;
		}
		for (let i = 0; i < out.length && this.length > 0; i++, this.length--) {
			out[i] = this.waiting[0][this.at++];
			if (this.at === this.waiting[0].length) {
				this.waiting.shift();
				this.at = 0;
			}
		}
		return true;
	}
});
