/* The receptionist on a web page.
 *
 *   <script src="https://HOST/widget.js" data-tenant="demo" data-agent="casa-lola" async></script>
 *
 * data-mode="test", data-language="es|en", data-position="left", data-color="#0b5d51".
 * Everything shown is text: nothing that comes over the network is ever read as HTML.
 */
(() => {
'use strict';
const script = document.currentScript;
const given = script ? script.dataset : {};
if (!given.tenant || !given.agent) {
	console.error('frontdesk: the script tag needs data-tenant and data-agent.');
	return;
}
const home = new URL(script.src).origin;
const full = 'page' in given;
const mode = given.mode === 'test' ? 'test' : 'live';
const place = `/web/${encodeURIComponent(given.tenant)}/${encodeURIComponent(given.agent)}`;
const key = `frontdesk:${home}${place}:${mode}`;
if (document.querySelector('[data-frontdesk]')) return; // included twice

// Words

// The business says tú or usted; Spanish words here say neither.
const words = {
	es: {
		open: 'Abrir el chat', close: 'Cerrar el chat', role: 'asistente virtual', log: 'Conversación',
		write: 'Mensaje', send: 'Enviar', you: 'Mensaje propio', quick: 'Respuestas rápidas',
		end: 'Terminar la conversación', endAsk: '¿Terminar la conversación?', endYes: 'Terminar', endNo: 'Seguir',
		over: 'La conversación ha terminado.', again: 'Empezar de nuevo', retry: 'Reintentar',
		unsent: 'No se ha enviado.', lost: 'No hay conexión.', closed: 'Ahora no hay nadie en este chat.',
		offline: 'Sin conexión. Los mensajes esperan aquí.', busy: 'Un momento, hay mucha gente…',
		test: 'Modo de prueba: nada de aquí es real.',
		kept: 'Es un asistente virtual. La conversación se guarda.', keptDays: 'Es un asistente virtual. La conversación se guarda {n} días.', privacy: 'Privacidad',
		speak: 'Hablar', dictate: 'Dictar', aloud: 'Leer en voz alta',
		appointment: 'Reserva', order: 'Pedido', callback: 'Llamada pendiente', lead: 'Datos anotados', message: 'Mensaje anotado', waiting: 'En espera', noted: 'Anotado',
		service: 'Qué', when: 'Cuándo', people: 'Personas', notes: 'Notas', ics: 'Añadir al calendario', code: 'Código', copy: 'Copiar el código', copied: 'Copiado',
		date: '¿Qué día?', time: '¿A qué hora?', name: 'Nombre', phone: 'Teléfono', email: 'Correo',
		party_size: '¿Cuántas personas?', askCode: 'Código de la reserva',
	},
	en: {
		open: 'Open the chat', close: 'Close the chat', role: 'virtual assistant', log: 'Conversation',
		write: 'Write a message', send: 'Send', you: 'You', quick: 'Quick replies',
		end: 'End the conversation', endAsk: 'End the conversation?', endYes: 'End it', endNo: 'Go on',
		over: 'This conversation has ended.', again: 'Start again', retry: 'Try again',
		unsent: 'Not sent.', lost: 'No connection.', closed: 'Nobody is at this desk right now.',
		offline: 'Offline. Messages wait here.', busy: 'One moment, many are writing…',
		test: 'Test mode: nothing here is real.',
		kept: 'This is a virtual assistant. The conversation is kept.', keptDays: 'This is a virtual assistant. The conversation is kept for {n} days.', privacy: 'Privacy',
		speak: 'Talk', dictate: 'Dictate', aloud: 'Read aloud',
		appointment: 'Your booking', order: 'Your order', callback: 'We will call you', lead: 'Details noted', message: 'Your message', waiting: 'Waiting list', noted: 'Noted',
		service: 'What', when: 'When', people: 'People', notes: 'Notes', ics: 'Add to calendar', code: 'Code', copy: 'Copy the code', copied: 'Copied',
		date: 'Which day?', time: 'What time?', name: 'Your name', phone: 'Your phone number', email: 'Your e-mail',
		party_size: 'How many people?', askCode: 'Your code',
	},
};
const wishes = [given.language, document.documentElement.lang, ...(navigator.languages || [])]
	.map((l) => (l || '').slice(0, 2).toLowerCase());
let language = wishes.find((l) => l in words) || 'es';
const t = (word) => words[language][word];
const locale = (l) => (l === 'en' ? 'en-GB' : 'es-ES');

// What is kept over a reload

const fresh = () => ({ id: '', token: '', messages: [], quick: [], expect: null, ended: false });
let talk = { ...fresh(), open: false, aloud: false, who: null };
try {
	talk = { ...talk, ...JSON.parse(sessionStorage.getItem(key) || '{}') };
} catch { /* nothing kept, or no storage */ }
const keep = () => {
	try {
		sessionStorage.setItem(key, JSON.stringify(talk));
	} catch { /* it does not outlive the page */ }
};
if (given.name && !talk.who) talk.who = { name: given.name, business: given.business };

// Elements

const fill = (e, props, kids) => {
	for (const [name, value] of Object.entries(props || {})) {
		if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
		else if (value !== false && value != null) e.setAttribute(name, value === true ? '' : value);
	}
	e.append(...kids);
	return e;
};
const h = (tag, props, ...kids) => fill(document.createElement(tag), props, kids);
const icon = (...paths) => {
	const ns = 'http://www.w3.org/2000/svg';
	const all = paths.map((d) => fill(document.createElementNS(ns, 'path'), { d }, []));
	return fill(document.createElementNS(ns, 'svg'), { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, all);
};
const icons = {
	chat: ['M12 4c5 0 8.5 3 8.5 7.2S17 18.5 12 18.5c-.9 0-1.8-.1-2.6-.3L5 20.5l.8-3.6C4.3 15.5 3.5 13.5 3.5 11.2 3.5 7 7 4 12 4z'],
	close: ['M6 6l12 12M18 6L6 18'],
	down: ['M6 9.5l6 6 6-6'],
	send: ['M12 19V5.5M6 11.2l6-6 6 6'],
	mic: ['M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4z', 'M6.5 11.5a5.5 5.5 0 0 0 11 0M12 17v3'],
	aloud: ['M4.5 9.8v4.4h3l4 3.3V6.5l-4 3.3z', 'M15 9.3a4 4 0 0 1 0 5.4M17.6 7a7.2 7.2 0 0 1 0 10'],
	end: ['M12 4.5v7M7.3 7a7 7 0 1 0 9.4 0'],
	check: ['M5.5 12.5l4.3 4.3 8.7-9.3'],
	copy: ['M9 9h9.5v10.5H9z', 'M15 9V4.5H5.5V15H9'],
};

const some = (...all) => all.filter(Boolean);
const outside = (href, ...kids) => h('a', { href, target: '_blank', rel: 'noopener' }, ...kids);

// linked makes links of the numbers and addresses in what the receptionist says.
const links = /https?:\/\/[^\s<>"]*[\w/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\d[\d ().-]{7,}\d/g;
const linked = (text) => {
	const where = talk.who?.address;
	if (where && text.includes(where)) {
		const [before, ...after] = text.split(where);
		return [...linked(before), outside(`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(where)}`, where), ...linked(after.join(where))];
	}
	let from = 0;
	const all = [];
	for (const { 0: found, index } of text.matchAll(links)) {
		const digits = found.replace(/[^\d+]/g, '');
		const href = /^http/.test(found) ? found : found.includes('@') ? `mailto:${found}` : /^\+?\d{9,15}$/.test(digits) && `tel:${digits}`;
		if (!href) continue;
		all.push(text.slice(from, index), href === found ? outside(href, found) : h('a', { href }, found));
		from = index + found.length;
	}
	return [...all, text.slice(from)];
};

// Whatever is labelled here is labelled anew when the language changes.
const labels = [];
const labelled = (e, word, attribute) => {
	labels.push(() => (attribute ? e.setAttribute(attribute, t(word)) : (e.textContent = t(word))));
	return e;
};
const tool = (name, word, onclick, props) => {
	const b = h('button', { type: 'button', class: 'tool', onclick, ...props }, icon(...icons[name]));
	labelled(b, word, 'title');
	return labelled(b, word, 'aria-label');
};
const button = (word, onclick, kind) => labelled(h('button', { type: 'button', class: kind || 'plain', onclick }), word);

const title = h(full ? 'h1' : 'h2', { id: 'who' });
const subtitle = h('p', { class: 'sub' });
const fine = h('p', { class: 'fine' }); // what becomes of what is said here
const face = h('span', { class: 'face', 'aria-hidden': 'true' });
const aloud = !('speechSynthesis' in window) ? null : tool('aloud', 'aloud', () => setAloud(!talk.aloud));
const ender = tool('end', 'end', () => askEnd(true));
const log = labelled(h('div', { class: 'log', role: 'log', 'aria-live': 'polite', tabindex: '0' }), 'log', 'aria-label');
const dots = h('div', { class: 'dots', hidden: true }, h('i'), h('i'), h('i'));
const notice = h('p', { class: 'notice', role: 'status' });
const quick = labelled(h('div', { class: 'quick', role: 'group' }), 'quick', 'aria-label');
const input = h('textarea', { rows: '1', maxlength: '1000', enterkeyhint: 'send', id: 'say', oninput: () => grow() });
labelled(input, 'write', 'aria-label');
const submit = tool('send', 'send', null, { type: 'submit', class: 'tool send' });
const mic = tool('mic', 'dictate', () => speak(), { 'aria-pressed': 'false' });
const form = h('form', { class: 'say', onsubmit: (e) => { e.preventDefault(); send(input.value); } }, input, mic, submit);
const endNo = button('endNo', () => askEnd(false));
const asking = h('div', { class: 'bar', hidden: true }, labelled(h('span'), 'endAsk'), endNo, button('endYes', () => end(), 'main'));
const again = button('again', () => restart(), 'main');
const over = h('div', { class: 'bar', hidden: true }, labelled(h('span'), 'over'), again);
const offline = labelled(h('p', { class: 'strip', role: 'status', hidden: navigator.onLine !== false }), 'offline');
const closer = full ? null : tool('down', 'close', () => close());
const panel = h('section', { class: full ? 'panel full' : 'panel', role: full ? 'main' : 'dialog', 'aria-labelledby': 'who', hidden: !full, id: 'panel' },
	h('div', { class: 'head' }, face, h('div', { class: 'names' }, title, subtitle), ...some(aloud, ender, closer)),
	...(mode === 'test' ? [labelled(h('p', { class: 'strip test' }), 'test')] : []),
	offline, log, h('div', { class: 'foot' }, notice, quick, form, asking, over));
log.append(fine, dots);
const launcher = full ? null : labelled(h('button', { type: 'button', class: 'launcher', 'aria-haspopup': 'dialog', 'aria-expanded': 'false', onclick: () => (panel.hidden ? open() : close()) },
	icon(...icons.chat), icon(...icons.down), h('b', { hidden: true })), 'open', 'aria-label');

const sheet = `
.root{--bg:#fff;--soft:#f3f2ee;--fg:#1c1b19;--mute:#67635b;--line:#e4e1d9;--edge:#8b877d;--bad:#b3261e;--a:var(--c,#0b5d51);--i:var(--ink,#fff);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--fg);color-scheme:light dark;text-align:start;-webkit-text-size-adjust:100%;-webkit-font-smoothing:antialiased}
*,*::before{box-sizing:border-box}[hidden]{display:none!important}p,#who,dl,dd{margin:0}
button,textarea{font:inherit;color:inherit;letter-spacing:inherit}button{cursor:pointer;-webkit-tap-highlight-color:transparent;touch-action:manipulation}
:focus{outline:none}:focus-visible{outline:2px solid var(--fg);outline-offset:2px}
svg{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round;display:block}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.launcher{position:fixed;z-index:2147483000;bottom:calc(20px + env(safe-area-inset-bottom));inset-inline-end:calc(20px + env(safe-area-inset-right));width:60px;height:60px;border:0;border-radius:50%;background:var(--a);color:var(--i);display:grid;place-items:center;box-shadow:0 1px 3px #0003,0 8px 24px #0003;transition:transform .15s}
.launcher:hover{transform:translateY(-2px)}.launcher:focus-visible{outline:3px solid var(--bg);box-shadow:0 0 0 6px var(--fg)}
.launcher svg{width:30px;height:30px;grid-area:1/1}.launcher svg+svg,.launcher[aria-expanded=true] svg:first-child{display:none}.launcher[aria-expanded=true] svg+svg{display:block}
.launcher b{position:absolute;top:3px;right:3px;width:14px;height:14px;border-radius:50%;background:#d6453d;border:2px solid var(--bg)}
.panel{position:fixed;z-index:2147483000;bottom:96px;inset-inline-end:20px;width:400px;height:min(660px,calc(100vh - 116px));display:flex;flex-direction:column;overflow:hidden;background:var(--bg);border:1px solid var(--line);border-radius:20px;box-shadow:0 2px 6px #0000000f,0 18px 56px #00000029;animation:rise .22s cubic-bezier(.2,.8,.3,1)}
.left .launcher,.left .panel{inset-inline:20px auto}
.head{display:flex;align-items:center;padding:14px 8px 14px 16px;border-bottom:1px solid var(--line)}
.face{flex:none;width:42px;height:42px;margin-inline-end:12px;border-radius:50%;background:var(--a);color:var(--i);display:grid;place-items:center;font-weight:600;font-size:18px}
.names{flex:1;min-width:0}#who{font-size:17px;line-height:1.3;font-weight:650;letter-spacing:-.01em}.sub{font-size:14px;line-height:1.35;color:var(--mute)}
#who,.sub span{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.sub{display:flex;gap:.35em}.sub b{flex:none;font-weight:400}.sub span{min-width:0}
.fine{font-size:14px;line-height:1.4;color:var(--mute);text-align:center}.fine a,.m a{color:inherit;text-decoration:underline;text-underline-offset:2px}.fine:empty{display:none}
.tool{flex:none;width:44px;height:44px;border:0;border-radius:12px;background:none;color:var(--mute);display:grid;place-items:center}
.tool:hover{background:var(--soft);color:var(--fg)}.tool[aria-pressed=true]{background:var(--a);color:var(--i)}
.strip{padding:8px 18px;font-size:14px;line-height:1.4;background:var(--soft);color:var(--mute)}.test{background:#fbefcf;color:#5c4300}
.log{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:20px 18px 8px;display:flex;flex-direction:column;gap:10px;scrollbar-width:thin}.log:focus-visible{outline-offset:-3px}
.log>*{flex:none}.log>:first-child{margin-top:auto}
.m{max-width:84%;padding:10px 15px;border-radius:18px;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere;align-self:flex-start;border-end-start-radius:6px;animation:rise .2s}
.m.me{align-self:flex-end;background:var(--a);color:var(--i);border-radius:18px;border-end-end-radius:6px}
.fail{align-self:flex-end;display:flex;align-items:center;gap:4px;font-size:14px;color:var(--bad);margin-top:-6px}
.fail button{border:0;background:none;min-height:44px;padding:0 6px;font-weight:600;text-decoration:underline;text-underline-offset:3px}
.dots{align-self:flex-start;display:flex;gap:5px;padding:16px 15px;border-radius:18px;border-end-start-radius:6px;background:var(--soft)}
.dots i{width:7px;height:7px;border-radius:50%;background:var(--mute);animation:dot 1.2s infinite}.dots i+i{animation-delay:.15s}.dots i+i+i{animation-delay:.3s}
.card{align-self:stretch;border:1px solid var(--line);border-radius:16px;overflow:hidden;animation:rise .25s}
.done{display:flex;gap:8px;align-items:center;padding:12px 16px;font-size:16px;font-weight:650;background:var(--a);color:var(--i)}
.card dl{padding:12px 16px;display:grid;grid-template-columns:auto 1fr;gap:6px 16px}dt{color:var(--mute)}dd::first-letter{text-transform:uppercase}dd{overflow-wrap:anywhere;white-space:pre-line}.ics{display:block;padding:10px 16px;border-top:1px dashed var(--edge);color:inherit}
.code{display:flex;align-items:center;justify-content:space-between;border-top:1px dashed var(--edge);padding:6px 8px 6px 16px}
.code span{display:block;font-size:14px;line-height:1.3;color:var(--mute)}.code strong{font:600 22px/1.3 ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.12em}
.foot{padding:8px 14px max(14px,env(safe-area-inset-bottom))}.notice{font-size:14px;color:var(--mute);padding:0 4px}.notice:not(:empty){padding-bottom:8px}
.quick{display:flex;flex-wrap:wrap;gap:8px;padding-bottom:10px}.quick:empty{display:none}
.quick button,.plain,.main{min-height:44px;padding:8px 16px;border:1px solid var(--edge);border-radius:22px;background:var(--bg);line-height:1.3;text-align:start}
.quick button:hover,.plain:hover{background:var(--soft);border-color:var(--fg)}
.main{background:var(--a);border-color:transparent;color:var(--i);font-weight:600}.bar{display:flex;flex-wrap:wrap;gap:8px;align-items:center}.bar span{flex:1 0 100%;color:var(--mute);text-align:center}.bar button{flex:1;text-align:center}
.say{display:flex;align-items:flex-end;gap:2px;padding:4px;border:1px solid var(--edge);border-radius:26px;background:var(--bg)}.say:focus-within{border-color:var(--fg);box-shadow:0 0 0 1px var(--fg)}
textarea{flex:1;min-width:0;min-height:44px;max-height:132px;padding:10px 8px 10px 14px;border:0;background:none;resize:none;outline:none!important;line-height:24px}textarea::placeholder{color:var(--mute);opacity:1}
.say .tool{border-radius:50%}.send,.send:hover{background:var(--a);color:var(--i)}.send[aria-disabled=true]{background:var(--soft);color:var(--mute)}
.full{inset:0;width:auto;height:var(--vh,100dvh);top:var(--vt,0);bottom:auto;border:0;border-radius:0;box-shadow:none;animation:none}
@media (min-width:760px){.full{width:min(720px,100vw - 48px);height:calc(100dvh - 48px);inset:24px auto auto 50%;transform:translateX(-50%);border:1px solid var(--line);border-radius:24px;box-shadow:0 2px 6px #0000000a,0 18px 56px #00000014}.full .head{padding:18px 18px 18px 26px}.full .log{padding:26px 26px 10px}.full .foot{padding:8px 22px 22px}.full .strip{padding:8px 26px}.full .card{align-self:flex-start;width:min(400px,100%)}}
@media (max-width:520px){.panel{inset:0!important;width:auto;height:var(--vh,100dvh);top:var(--vt,0)!important;bottom:auto!important;border:0;border-radius:0}.head{padding-top:max(14px,env(safe-area-inset-top))}.launcher[aria-expanded=true]{display:none}}
@media (prefers-color-scheme:dark){.root{--bg:#1b1b19;--soft:#2b2a27;--fg:#f2f0eb;--mute:#b3afa5;--line:#383630;--edge:#7f7b72;--bad:#ff9d93}.test{background:#4a3b12;color:#ffe9b0}.panel{box-shadow:0 18px 56px #0009}}
@media (prefers-contrast:more){.root{--line:currentColor;--edge:currentColor;--mute:var(--fg)}}
@media (forced-colors:active){.launcher,.m,.face,.send,.main,.tool[aria-pressed=true],.done,.dots{border:1px solid}.dots i{background:CanvasText}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
@media print{.root{display:none}}
@keyframes rise{from{opacity:0;transform:translateY(8px)}}@keyframes dot{0%,60%,to{opacity:.35}30%{opacity:1}}`;

const host = h('div', { 'data-frontdesk': '' });
host.style.cssText = 'all:initial!important';
const root = h('div', { class: given.position === 'left' ? 'root left' : 'root' }, ...some(panel, launcher));
const shadow = host.attachShadow({ mode: 'open' });
try {
	const rules = new CSSStyleSheet(); // a site's policy on styles does not reach it
	rules.replaceSync(sheet);
	shadow.adoptedStyleSheets = [rules];
} catch {
	const style = h('style');
	style.textContent = sheet;
	shadow.append(style);
}
shadow.append(root);

// Showing

const small = matchMedia('(max-width:520px)');
const coarse = matchMedia('(pointer:coarse)');
const shown = new Map(); // messages to their elements
const marks = new Map(); // and to what says that they were not sent

const relabel = () => {
	labels.forEach((apply) => apply());
	if (talk.voice) fill(mic, { title: t('speak'), 'aria-label': t('speak') }, []);
	mic.hidden = !(talk.voice || window.SpeechRecognition || window.webkitSpeechRecognition);
	const who = talk.who;
	title.textContent = who ? who.name : '…';
	const business = who && who.business !== who.name && who.business;
	subtitle.replaceChildren(...some(business && h('span', {}, business), h('b', {}, (business ? '· ' : '') + t('role'))));
	tellKept();
	face.textContent = who ? [...who.name][0].toUpperCase() : '';
	launcher?.setAttribute('aria-label', t(panel.hidden ? 'open' : 'close') + (who ? `: ${who.business}` : ''));
	root.lang = language;
	invite();
};

// tellKept says how long the words of a visitor are kept.
const tellKept = () => {
	const kept = talk.privacy;
	if (!kept) return;
	const days = kept.transcript_days;
	fine.replaceChildren(days ? t('keptDays').replace('{n}', days) : t('kept'), ...(kept.url ? [' ', outside(kept.url, t('privacy'))] : []));
};

// invite fits the field to what the receptionist asks for.
const invite = () => {
	const word = talk.expect === 'code' ? 'askCode' : talk.expect;
	input.placeholder = words[language][word] && word !== 'service' ? t(word) : t('write');
	const [keyboard, kind, capitals] = {
		phone: ['tel', 'tel', 'none'], email: ['email', 'email', 'none'], party_size: ['numeric', 'off', 'none'],
		name: ['text', 'name', 'words'], code: ['text', 'off', 'characters'],
	}[talk.expect] || ['text', 'off', 'sentences'];
	fill(input, { inputmode: keyboard, autocomplete: kind, autocapitalize: capitals }, []);
};

const speakIn = (l) => {
	if (l in words && l !== language) {
		language = l;
		relabel();
	}
};

const unread = (on) => { if (launcher) launcher.lastChild.hidden = !on; };
const bottom = () => { log.scrollTop = log.scrollHeight; };
const add = (...all) => {
	dots.before(...all);
	bottom();
};

const draw = (m) => {
	const mine = m.by === 'me';
	const name = mine ? t('you') : talk.who?.name || '';
	const e = h('div', { class: mine ? 'm me' : 'm', lang: m.lang }, h('span', { class: 'vh' }, `${name}: `), ...(mine ? [m.text] : linked(m.text)));
	shown.set(m, e);
	add(e);
	if (m.card) add(cardOf(m.card, m.lang));
	if (m.unsent) failed(m);
};

const dateOf = (c, l) => {
	const d = new Date(`${c.scheduled_at}Z`); // the house's clock
	const time = c.kind !== 'waiting' || d % 864e5; // or any
	const year = d.getUTCFullYear() === new Date().getFullYear() ? undefined : 'numeric';
	return new Intl.DateTimeFormat(locale(l), {
		weekday: 'long', day: 'numeric', month: 'long', year, timeZone: 'UTC',
		...(time && { hour: 'numeric', minute: '2-digit', hour12: l === 'en' }),
	}).format(d);
};

const cardOf = (c, l) => {
	const w = words[l] || words[language];
	const rows = [[w.service, c.service], [w.when, c.scheduled_at && dateOf(c, l)], [w.people, c.party_size], [w.name, c.customer_name], [w.notes, c.notes !== c.service && c.notes]].filter((r) => r[1]);
	const e = h('div', { class: 'card', lang: l }, h('p', { class: 'done' }, icon(...icons.check), w[c.kind] || w.noted));
	if (rows.length) e.append(h('dl', {}, ...rows.flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)])));
	if (c.confirmation_code) {
		const code = h('strong', {}, c.confirmation_code);
		e.append(h('div', { class: 'code' }, h('div', {}, h('span', {}, w.code), code),
			h('button', { type: 'button', class: 'tool', title: w.copy, 'aria-label': w.copy, onclick: (ev) => copy(code, ev.currentTarget) }, icon(...icons.copy))));
	}
	if (c.ics) e.append(h('a', { class: 'ics', href: home + c.ics, download: '' }, w.ics));
	return e;
};

const copy = async (code, b) => {
	try {
		await navigator.clipboard.writeText(code.textContent);
	} catch { // no permission, or no secure page
		const s = getSelection();
		s.selectAllChildren(code);
		document.execCommand('copy');
		s.removeAllRanges();
	}
	b.replaceChildren(icon(...icons.check));
	notice.textContent = t('copied');
	setTimeout(() => {
		b.replaceChildren(icon(...icons.copy));
		notice.textContent = '';
	}, 2000);
};

const failed = (m, reason) => {
	m.unsent = true;
	marks.set(m, h('div', { class: 'fail', role: 'alert' }, reason || t('unsent'), h('button', { type: 'button', onclick: () => deliver(m) }, t('retry'))));
	shown.get(m).after(marks.get(m));
	bottom();
};

const unmark = (m) => marks.get(m)?.remove();

const offer = (replies) => {
	talk.quick = replies || [];
	quick.replaceChildren(...talk.quick.map((text) => h('button', { type: 'button', onclick: () => send(text) }, text)));
	bottom();
};

// foot shows one of the three things that can stand at the foot.
const foot = (which) => {
	const focused = shadow.activeElement;
	for (const part of [form, asking, over]) part.hidden = part !== which;
	ender.hidden = !talk.id || talk.ended;
	if (focused && !focused.getClientRects().length) (which === form ? input : which.querySelector('button')).focus();
};

const grow = () => {
	input.style.height = 'auto';
	input.style.height = `${Math.min(132, input.scrollHeight)}px`;
	submit.setAttribute('aria-disabled', working || !input.value.trim());
};

let working = false;
const work = (on) => {
	working = on;
	dots.hidden = !on;
	notice.textContent = '';
	log.setAttribute('aria-busy', on);
	if (on) log.append(dots);
	grow();
	bottom();
};

// Talking

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const call = async (method, path, body, once) => {
	const headers = body ? { 'Content-Type': 'application/json' } : {};
	if (talk.token) headers.Authorization = `Bearer ${talk.token}`;
	if (once) headers['Idempotency-Key'] = once;
	const r = await fetch(home + path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(20000), credentials: 'omit', cache: 'no-store' });
	const data = await r.json().catch(() => ({}));
	if (r.ok) return data;
	throw Object.assign(new Error(data.error?.message || r.status), { status: r.status, wait: +r.headers.get('Retry-After') });
};

// patient is call that waits its turn when there is too much at once.
const patient = async (...request) => {
	for (let tries = 0; ; tries++) {
		try {
			return await call(...request);
		} catch (e) {
			if (e.status !== 429 || tries > 2) throw e;
			notice.textContent = t('busy');
			await pause(1000 * Math.min(e.wait || 1, 20));
		}
	}
};

const wished = () => wishes.find((l) => talk.who.languages.includes(l));

let retry = null; // once the beginning has failed
const start = async () => {
	if (talk.id || working) return;
	work(true);
	try {
		if (!talk.who || !talk.who.languages) {
			({ agent: talk.who, voice: talk.voice, privacy: talk.privacy } = await patient('GET', `${place}?mode=${mode}`));
			language = wished() || talk.who.languages[0] || language;
			relabel();
		}
		const [{ conversation: c }] = await Promise.all([patient('POST', `${place}/conversations`, { mode, language: wished() }), pause(400)]);
		Object.assign(talk, fresh(), { id: c.id, token: c.token });
		work(false);
		hear({ text: c.greeting, language: c.language, expect: null, quick_replies: c.quick_replies });
	} catch (e) {
		work(false);
		const text = t(e.status === 404 || e.status === 403 ? 'closed' : 'lost');
		const row = h('div', { class: 'fail', role: 'alert' }, text, h('button', { type: 'button', onclick: () => retry() }, t('retry')));
		retry = () => {
			row.remove();
			start();
		};
		add(row);
		console.warn('frontdesk:', e.message);
	}
	foot(form);
};

// hear shows what the receptionist says.
const hear = (reply, card) => {
	speakIn(reply.language);
	talk.expect = reply.expect;
	const m = { by: 'agent', text: reply.text, lang: reply.language, card };
	talk.messages.push(m);
	draw(m);
	offer(reply.quick_replies);
	invite();
	if (talk.aloud && !voice) read(m);
	unread(panel.hidden);
	keep();
};

const mine = (text) => {
	const m = { by: 'me', text, lang: language, key: Math.random() };
	talk.messages.push(m);
	draw(m);
	return m;
};

const send = (said) => {
	const text = said.trim();
	if (!text || working || talk.ended || !talk.id) return;
	const fromField = said === input.value;
	if (fromField) input.value = '';
	offer([]);
	talk.messages.forEach((m) => { unmark(m); m.unsent = false; });
	const m = mine(text);
	if (fromField || !coarse.matches) input.focus();
	else log.focus();
	deliver(m);
};

const deliver = async (m) => {
	if (working) return;
	unmark(m);
	m.unsent = !voice?.send?.(m.text); // until it is known to have come; a reload may be faster
	keep();
	if (!m.unsent) return;
	work(true);
	try {
		const [a] = await Promise.all([patient('POST', `/web/conversations/${talk.id}/messages`, { text: m.text }, m.key), pause(350)]);
		m.unsent = false;
		shown.get(m).lang = m.lang = a.reply.language; // which language it was in, the answer tells
		work(false);
		hear(a.reply, a.capture);
		if (a.ended) finish();
	} catch (e) {
		work(false);
		if (e.status === 404) {
			m.unsent = false;
			finish();
		} else failed(m, e.status === 400 ? e.message : undefined);
	}
};

// resume goes on where the connection was lost.
const resume = () => {
	const waits = talk.messages.find((m) => m.unsent);
	if (waits && !talk.ended) deliver(waits);
	else if (!talk.id && !panel.hidden) retry?.();
};

const finish = () => {
	talk.ended = true;
	voice?.stop();
	offer([]);
	keep();
	foot(over);
	bottom();
};

const askEnd = (on) => foot(on ? asking : form);

const end = async () => {
	voice?.stop();
	foot(over);
	try {
		await call('POST', `/web/conversations/${talk.id}/end`);
	} catch { /* it ends by itself when nobody says anything */ }
	finish();
};

const restart = () => {
	log.replaceChildren(fine, dots);
	Object.assign(talk, fresh());
	keep();
	foot(form);
	if (!coarse.matches) input.focus();
	start();
};

// Voice

const read = (m) => {
	const u = new SpeechSynthesisUtterance(m.text);
	u.lang = locale(m.lang);
	speechSynthesis.cancel();
	speechSynthesis.speak(u);
};

const setAloud = (on) => {
	talk.aloud = on;
	aloud.setAttribute('aria-pressed', on);
	const last = talk.messages.findLast((m) => m.by === 'agent');
	if (!on) speechSynthesis.cancel();
	else if (last) read(last);
	keep();
};

let voice = null; // while the microphone is open
const closed = (why) => {
	voice = null;
	mic.setAttribute('aria-pressed', 'false');
	notice.textContent = why || '';
};
const speak = async () => {
	if (voice) return voice.stop();
	if (!talk.id || talk.ended) return;
	const opening = voice = { stop: closed };
	mic.setAttribute('aria-pressed', 'true');
	if (aloud) speechSynthesis.cancel();
	try {
		const kit = await import(`${home}/voice.js`);
		const desk = { home, talk, h, form, input, mic, shadow, log, locale, language: () => language, mine, hear, offer, keep, grow, finish, closed };
		if (voice === opening) voice = kit[talk.voice ? 'speak' : 'dictate'](desk);
	} catch {
		closed(t('lost'));
	}
};

// Opening and closing

let locked = null;
const lock = (on) => { // the site behind does not scroll under a full screen
	const s = document.documentElement.style;
	if (on && locked === null) [locked, s.overflow] = [s.overflow, 'hidden'];
	else if (!on && locked !== null) [s.overflow, locked] = [locked, null];
};
const cover = () => {
	const covers = !full && !panel.hidden && small.matches;
	if (!full) panel.setAttribute('aria-modal', covers);
	lock(covers);
};

const open = (quietly) => {
	panel.hidden = false;
	launcher?.setAttribute('aria-expanded', 'true');
	unread(false);
	talk.open = true;
	relabel();
	cover();
	grow();
	keep();
	if (quietly !== true) (coarse.matches ? log : talk.ended ? again : input).focus();
	bottom();
	start();
};

const close = () => {
	if (full) return;
	panel.hidden = true;
	launcher.setAttribute('aria-expanded', 'false');
	talk.open = false;
	voice?.stop();
	if (aloud) speechSynthesis.cancel();
	cover();
	relabel();
	keep();
	launcher.focus();
};

panel.addEventListener('keydown', (e) => {
	e.stopPropagation(); // a site's shortcuts are not meant
	if (e.key === 'Escape') {
		if (voice) voice.stop();
		else if (!asking.hidden) askEnd(false);
		else close();
	}
	if (e.key === 'Enter' && !e.shiftKey && !e.isComposing && e.target === input) {
		e.preventDefault();
		send(input.value);
	}
	if (e.key === 'Tab' && panel.getAttribute('aria-modal') === 'true') {
		const all = [...panel.querySelectorAll('a,button,textarea,[tabindex="0"]')].filter((x) => x.getClientRects().length);
		const [from, to] = e.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
		if (shadow.activeElement === from) {
			e.preventDefault();
			to.focus();
		}
	}
});
small.addEventListener('change', cover);
for (const state of ['online', 'offline']) addEventListener(state, () => {
	offline.hidden = state === 'online';
	if (state === 'online') resume();
});
if (window.visualViewport) {
	const fit = () => { // what the on-screen keyboard leaves
		if (visualViewport.scale > 1.01) return; // looked at through a lens
		host.style.setProperty('--vh', `${visualViewport.height}px`);
		host.style.setProperty('--vt', `${visualViewport.offsetTop}px`);
		bottom();
	};
	visualViewport.addEventListener('resize', fit);
	visualViewport.addEventListener('scroll', fit);
}

// Beginning

document.documentElement.append(host);
if (given.color && CSS.supports('color', given.color)) {
	host.style.setProperty('--c', given.color);
	const [r, g, b] = (getComputedStyle(face).backgroundColor.match(/[\d.]+/g) || []).map((v) => (v / 255) ** 2.2);
	if (0.2126 * r + 0.7152 * g + 0.0722 * b > 0.36) host.style.setProperty('--ink', '#141412');
}
const spoken = talk.messages.findLast((m) => m.by === 'agent');
if (spoken && spoken.lang in words) language = spoken.lang;
relabel();
talk.messages.forEach(draw);
offer(talk.quick);
aloud?.setAttribute('aria-pressed', talk.aloud);
foot(talk.ended ? over : form);
window.frontdesk = { open, close };
if (full) open(coarse.matches || !!talk.id); // on a phone nothing is framed before it is touched
else if (talk.open) open(true);
})();
