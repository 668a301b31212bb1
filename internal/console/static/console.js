// What the console's pages do in the browser beside htmx. Everything can be read
// without it.
(() => {
  "use strict";
  // A link that was made to be opened at once presses its own button.
  document.querySelector("form[data-hurry]")?.requestSubmit();
  // A menu closes when somebody clicks elsewhere or presses Escape.
  // Whoever was in it is then on the button that opens it.
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details.pick[open]")) {
      if (menu === except) continue;
      const within = menu.contains(document.activeElement);
      menu.open = false;
      if (within) menu.querySelector("summary").focus();
    }
  };
  document.addEventListener("click", (e) => closeMenus(e.target.closest("details.pick")));
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") closeMenus();
  });
  // A part that renews itself puts other elements in the place of the old ones.
  // Whoever was on one of them is then on the one that does the same.
  const main = document.getElementById("main");
  const likeIt = (element) => {
    const does = (e) => JSON.stringify([e.tagName, ...["id", "href", "name", "value"].map((a) => e.getAttribute(a)), e.form?.getAttribute("action")]);
    return [...main.querySelectorAll(element.tagName)].filter((e) => does(e) === does(element));
  };
  let left;
  document.addEventListener("htmx:beforeSwap", (e) => {
    const on = document.activeElement, part = e.detail.target;
    left = part.matches(".live") && part.contains(on) ? { on, nth: likeIt(on).indexOf(on) } : undefined;
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!left) return;
    (likeIt(left.on)[left.nth] ?? main).focus({ preventScroll: true });
    left = undefined;
  });
})();
// Buttons that copy the text of an element.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.querySelector("span").textContent = button.dataset.copied;
  });
}
