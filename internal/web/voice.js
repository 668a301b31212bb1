/* Speaking to the receptionist. The widget loads this when its microphone is first
 * pressed, and hands over what it has of the conversation.
 *
 *   microphone -> voice-sound.js -> WebSocket -> captions, state, sound -> voice-sound.js -> loudspeaker
 *
 * Whatever fails, it is said in a sentence, the microphone is let go, and the chat goes on.
 */

// The business says tú or usted; Spanish words here say neither.
const words = {
	es: {
		opening: 'Abriendo el micrófono…', listening: 'Escuchando…', hearing: 'Escuchando…', thinking: 'Pensando…', speaking: 'Hablando…',
		stop: 'Apagar', stopLong: 'Apagar el micrófono',
		denied: 'El navegador no deja usar el micrófono. Se permite junto a la dirección de la página; mientras, el chat sigue aquí.',
		none: 'No se encuentra ningún micrófono. El chat sigue aquí.',
		taken: 'Otro programa está usando el micrófono. El chat sigue aquí.',
		insecure: 'El micrófono solo funciona en páginas seguras (https). El chat sigue aquí.',
		unable: 'En este navegador no se puede hablar. El chat sigue aquí.',
		lost: 'Se ha cortado la voz. El chat sigue aquí.',
		silence: 'No se oye a nadie: el micrófono está apagado. El chat sigue aquí.',
		elsewhere: 'El micrófono se ha abierto en otra ventana.',
		dictation: 'El navegador no deja usar el micrófono.',
	},
	en: {
		opening: 'Opening the microphone…', listening: 'Listening…', hearing: 'Listening…', thinking: 'Thinking…', speaking: 'Speaking…',
		stop: 'Turn off', stopLong: 'Turn off the microphone',
		denied: 'The browser blocks the microphone. You can allow it next to the address of the page; meanwhile the chat goes on.',
		none: 'There is no microphone. The chat goes on.',
		taken: 'Another program uses the microphone. The chat goes on.',
		insecure: 'The microphone works on secure pages (https) only. The chat goes on.',
		unable: 'This browser cannot do voice. The chat goes on.',
		lost: 'The voice was cut off. The chat goes on.',
		silence: 'Nobody speaks: the microphone is off. The chat goes on.',
		elsewhere: 'The microphone was opened in another window.',
		dictation: 'The browser blocks the microphone.',
	},
};

const sheet = `
.voice{display:flex;align-items:center;gap:10px;margin-bottom:8px;padding:6px 6px 6px 16px;border-radius:26px;background:var(--soft)}
.voice p{flex:1;min-width:0;font-weight:600}
.voice .plain{background:var(--bg)}
.ear{flex:none;display:flex;align-items:center;gap:3px;height:24px;color:var(--bad)}
.ear i{width:4px;height:24px;border-radius:2px;background:currentColor;transform:scaleY(calc(.25 + .75*var(--level,0)));transition:transform .08s}
.ear i:nth-child(odd){transform:scaleY(calc(.25 + .5*var(--level,0)))}
.voice[data-state=opening] .ear,.voice[data-state=thinking] .ear{color:var(--mute)}
.voice[data-state=thinking] .ear i{animation:dot 1.2s infinite}.voice[data-state=thinking] .ear i+i{animation-delay:.15s}.voice[data-state=thinking] .ear i+i+i{animation-delay:.3s}
.voice[data-state=speaking] .ear{color:var(--fg)}.voice[data-state=speaking] .ear i{animation:wave .9s infinite alternate ease-in-out}.voice[data-state=speaking] .ear i:nth-child(even){animation-delay:-.45s}
.voice~.say .tool[aria-pressed=true]{background:var(--bad);color:var(--bg);animation:beat 1.6s infinite}
@keyframes wave{from{transform:scaleY(.3)}to{transform:scaleY(1)}}
@keyframes beat{from{box-shadow:0 0 0 0 var(--bad)}to{box-shadow:0 0 0 8px transparent}}
@media (forced-colors:active){.voice,.voice~.say .tool[aria-pressed=true]{border:1px solid}.ear i{background:CanvasText}}
@media (prefers-reduced-motion:reduce){.ear i{transform:scaleY(.7)!important}}`;

let styled = false;
const style = ({ shadow, h }) => {
	if (styled) return;
	styled = true;
	try {
		const rules = new CSSStyleSheet();
		rules.replaceSync(sheet);
		shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, rules];
	} catch {
		const e = h('style');
		e.textContent = sheet;
		shadow.append(e);
	}
};

const hiddenFor = 60000; // a tab that nobody looks at is let go
const openWithin = 15000;

// faults are what the browser calls them.
const faults = { NotAllowedError: 'denied', SecurityError: 'denied', NotFoundError: 'none', OverconstrainedError: 'none', NotReadableError: 'taken', AbortError: 'taken' };
// codes are what the server calls them.
const codes = { silence: 'silence', opened_elsewhere: 'elsewhere' };

// speak opens the microphone. What it returns stops it, and sends what is written
// meanwhile.
export const speak = (desk) => {
	const { h } = desk;
	const t = (word) => words[desk.language()][word];
	const text = h('p', { role: 'status', 'aria-live': 'polite' });
	const stopper = h('button', { type: 'button', class: 'plain', 'aria-label': t('stopLong'), onclick: () => stop() }, t('stop'));
	const bars = h('span', { class: 'ear', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'), h('i'), h('i'));
	const bar = h('div', { class: 'voice' }, bars, text, stopper);
	let stream, sound, socket, mouth, away, over = false, ending = false, why = 'lost';

	const show = (state) => {
		bar.dataset.state = state;
		if (text.textContent !== t(state)) text.textContent = t(state);
		stopper.textContent = t('stop');
		stopper.setAttribute('aria-label', t('stopLong'));
	};
	const looked = () => {
		clearTimeout(away);
		if (document.hidden) away = setTimeout(stop, hiddenFor);
	};

	// stop lets everything go, for a reason or because somebody wished so.
	const stop = (reason) => {
		if (over) return;
		over = true;
		clearTimeout(away);
		clearTimeout(late);
		document.removeEventListener('visibilitychange', looked);
		stream?.getTracks().forEach((track) => track.stop());
		if (socket) socket.onclose = null;
		socket?.close();
		sound?.close();
		const focused = bar.contains(desk.shadow.activeElement);
		bar.remove();
		desk.log.setAttribute('aria-live', 'polite');
		desk.closed(typeof reason === 'string' && t(reason));
		if (focused) desk.mic.focus();
		if (ending) desk.finish();
	};
	const late = setTimeout(() => { if (!socket || socket.readyState !== 1) stop('lost'); }, openWithin);

	const level = (pcm) => {
		let most = 0;
		for (let i = 0; i < pcm.length; i += 4) most = Math.max(most, Math.abs(pcm[i]));
		bars.style.setProperty('--level', Math.min(1, Math.sqrt(most / 12000)).toFixed(2));
	};

	const told = {
		heard: (m) => {
			desk.offer([]);
			desk.mine(m.text);
			desk.keep();
		},
		said: (m) => {
			const { talk } = desk;
			const last = talk.messages.at(-1);
			if (m.reply?.ended) ending = true;
			if (last && last.by !== 'me' && last.text === m.text) return; // it is said again, and was shown
			desk.hear(m.reply ? m.reply.reply : { text: m.text, language: desk.language(), expect: talk.expect, quick_replies: talk.quick }, m.reply?.capture);
		},
		state: (m) => show(m.state),
		clear: () => mouth.port.postMessage(null),
		ended: () => {
			ending = true;
			socket.onclose = null;
			setTimeout(stop, 400); // the last word is still being played
		},
		error: (m) => {
			if (m.code === 'not_found') ending = true;
			why = codes[m.code] || 'lost';
		},
	};

	const connect = (ear) => {
		socket = new WebSocket(`${desk.home.replace(/^http/, 'ws')}/web/conversations/${desk.talk.id}/voice`);
		socket.binaryType = 'arraybuffer';
		socket.onopen = () => {
			socket.send(JSON.stringify({ type: 'start', token: desk.talk.token }));
			ear.port.onmessage = ({ data }) => {
				level(new Int16Array(data));
				if (socket.readyState === 1) socket.send(data);
			};
		};
		socket.onmessage = ({ data }) => {
			if (over) return;
			if (typeof data !== 'string') mouth.port.postMessage(data, [data]);
			else {
				const m = JSON.parse(data);
				told[m.type]?.(m);
			}
		};
		socket.onclose = () => stop(why);
	};

	const begin = async () => {
		if (!isSecureContext) throw new Error('insecure');
		if (!navigator.mediaDevices || !window.AudioWorkletNode || !window.WebSocket) throw new Error('unable');
		const got = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } });
		stream = got;
		if (over) return got.getTracks().forEach((track) => track.stop());
		stream.getTracks().forEach((track) => { track.onended = () => stop('none'); });
		sound = new AudioContext({ latencyHint: 'interactive' });
		await Promise.all([sound.audioWorklet.addModule(`${desk.home}/voice-sound.js`), sound.resume()]);
		if (over) return;
		const ear = new AudioWorkletNode(sound, 'frontdesk-ear', { numberOfOutputs: 0 });
		mouth = new AudioWorkletNode(sound, 'frontdesk-mouth', { numberOfInputs: 0, outputChannelCount: [1] });
		sound.createMediaStreamSource(stream).connect(ear);
		mouth.connect(sound.destination);
		connect(ear);
	};

	style(desk);
	show('opening');
	desk.form.before(bar);
	desk.log.scrollTop = desk.log.scrollHeight; // it has become smaller
	desk.log.setAttribute('aria-live', 'off'); // it is said aloud
	document.addEventListener('visibilitychange', looked);
	begin().catch((e) => {
		console.warn('frontdesk:', e.message);
		stop(words.en[e.message] ? e.message : faults[e.name] || 'unable');
	});
	return {
		stop,
		send: (written) => {
			if (over || socket?.readyState !== 1) return false;
			socket.send(JSON.stringify({ type: 'text', text: written }));
			return true;
		},
	};
};

// dictate writes what is said into the field, by the browser's own means.
export const dictate = (desk) => {
	const { input } = desk;
	const before = input.value ? `${input.value.trim()} ` : '';
	const Recognition = window.SpeechRecognition || window.webkitSpeechRecognition;
	const listening = Object.assign(new Recognition(), { lang: desk.locale(desk.language()), interimResults: true });
	let fault = '';
	listening.onresult = (e) => {
		input.value = before + Array.from(e.results, (r) => r[0].transcript).join('');
		desk.grow();
	};
	listening.onerror = (e) => { if (e.error === 'not-allowed') fault = words[desk.language()].dictation; };
	listening.onend = () => {
		desk.closed(fault);
		input.focus();
	};
	listening.start();
	return { stop: () => listening.stop() };
};
