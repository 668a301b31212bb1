// What somebody has typed into a long form is kept in this tab until the form is
// sent, or until they sign out. Hidden fields, passwords, files and what is marked
// private are not kept.
(() => {
  "use strict";
  const prefix = "frontdesk.kept ";
  const person = document.body.dataset.person;
  const keys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  const read = (key) => {
    try {
      return JSON.parse(sessionStorage.getItem(key));
    } catch {
      return null;
    }
  };
  const write = (key, value) => {
    try {
      sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
      sessionStorage.removeItem(key); // there is no room for it
    }
  };
  // A form was sent when another page of the console came after it. The entrance and
  // a page that refuses say that it was not.
  for (const key of keys()) {
    const kept = read(key);
    if (!kept || (person && (kept.sent || kept.person !== person))) sessionStorage.removeItem(key);
    else if (kept.sent) write(key, { ...kept, sent: false });
  }
  for (const form of document.querySelectorAll("form[action='/console/leave']")) {
    form.addEventListener("submit", () => keys().forEach((key) => sessionStorage.removeItem(key)));
  }

  const form = document.querySelector("form[data-keep]");
  if (!form || !person) return;
  const key = prefix + location.pathname + " " + form.dataset.keep;
  const line = form.querySelector("[data-kept]");
  const private_ = /pass|secret|token|key/i;
  const fields = () => [...form.elements].filter((e) => e.name && !["hidden", "password", "file", "submit", "button"].includes(e.type) && !private_.test(e.name) && !("private" in e.dataset));
  const turned = (e) => e.type === "checkbox" || e.type === "radio";
  const asMade = (e) => (turned(e) ? e.checked === e.defaultChecked : e.tagName === "SELECT" ? !touched.has(e.name) : e.value === e.defaultValue);
  const touched = new Set();
  const values = () => fields().filter((e) => !turned(e) || e.checked).map((e) => [e.name, e.value]);
  const keep = () => {
    if (fields().every(asMade)) sessionStorage.removeItem(key);
    else write(key, { person, values: values(), sent: false });
  };
  // What the address says was chosen just now, and stays.
  const said = new URLSearchParams(location.search);
  const fill = (kept, some) => {
    for (const e of some) {
      if (said.has(e.name)) continue;
      const mine = kept.values.filter(([name]) => name === e.name).map(([, value]) => value);
      if (turned(e)) e.checked = mine.includes(e.value);
      else if (mine.length && (e.tagName !== "SELECT" || [...e.options].some((o) => o.value === mine[0]))) e.value = mine[0];
    }
  };
  const within = (e) => e.closest("[hx-get]") !== null;
  const restore = (kept) => {
    const before = values().toString();
    fill(kept, fields());
    line.hidden = false;
    // Free times depend on what was chosen: they come anew, and then what was chosen
    // of them.
    const asks = form.querySelector("[hx-get]");
    if (!asks || values().toString() === before || !fields().some((e) => within(e) && !asMade(e))) return;
    form.addEventListener("htmx:afterSwap", () => fill(kept, fields().filter((e) => !within(e) && turned(e))), { once: true });
    document.addEventListener("DOMContentLoaded", () => asks.querySelector("input, select").dispatchEvent(new Event("change", { bubbles: true })), { once: true });
  };

  const kept = read(key);
  if (kept && !form.querySelector("[aria-invalid]")) restore(kept);
  for (const name of ["input", "change"]) {
    form.addEventListener(name, (e) => {
      if (!e.isTrusted) return;
      touched.add(e.target.name);
      keep();
    });
  }
  form.addEventListener("submit", () => write(key, { person, values: values(), sent: true }));
  line.querySelector("button").addEventListener("click", () => {
    sessionStorage.removeItem(key);
    form.reset();
    touched.clear();
    line.hidden = true;
    document.getElementById("main").focus({ preventScroll: true });
    form.querySelector("[hx-get]")?.querySelector("input, select").dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
