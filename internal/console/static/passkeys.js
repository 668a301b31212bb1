// Passkeys: to enter with one, and to add one. Buttons say which by data-passkey;
// without a script, or in a browser that knows no passkeys, they stay hidden.
(() => {
  "use strict";
  if (!window.PublicKeyCredential || !navigator.credentials) return;

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  // What the server asks has bytes as text, and so has what it is answered.
  const question = (options) => {
    const asked = options.publicKey;
    asked.challenge = bytes(asked.challenge);
    if (asked.user) asked.user.id = bytes(asked.user.id);
    for (const name of ["allowCredentials", "excludeCredentials"]) {
      for (const one of asked[name] ?? []) one.id = bytes(one.id);
    }
    return { publicKey: asked };
  };
  const reply = (credential) => {
    const { response } = credential;
    const out = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (response[name]) out[name] = text(response[name]);
    }
    if (response.getTransports) out.transports = response.getTransports();
    return { id: credential.id, rawId: text(credential.rawId), type: credential.type, clientExtensionResults: {}, response: out };
  };

  const send = async (address, body) => {
    const answer = await fetch(address, { method: "POST", body: body && JSON.stringify(body), headers: { "Content-Type": "application/json" } });
    if (answer.redirected) {
      // The session has ended meanwhile.
      location.assign(answer.url);
      throw new DOMException("", "AbortError");
    }
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };

  const ways = {
    enter: { at: "/console/enter/passkey/", ask: (o) => navigator.credentials.get(o), to: (button) => button.dataset.to },
    add: { at: "/console/me/passkeys/", ask: (o) => navigator.credentials.create(o), to: () => "/console/me" },
  };
  for (const button of document.querySelectorAll("button[data-passkey]")) {
    const way = ways[button.dataset.passkey];
    const fault = button.parentElement.querySelector("[data-passkey-fault]");
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      fault.hidden = true;
      try {
        const asked = await send(way.at + "begin");
        await send(way.at + "finish", reply(await way.ask(question(asked))));
        location.assign(way.to(button));
        return;
      } catch (e) {
        // Somebody who changes their mind is told nothing.
        if (e.name !== "AbortError" && e.name !== "NotAllowedError") {
          fault.textContent = button.dataset.failed;
          fault.hidden = false;
        }
      }
      button.disabled = false;
    });
  }
})();
