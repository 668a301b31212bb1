// The agenda by keyboard: arrows turn its pages, t is today, n a new appointment.
// A date that is chosen is gone to at once.
(() => {
  "use strict";
  const shown = (link) => link.getClientRects().length > 0;
  const linkFor = (key) => key === "n" ? document.getElementById("agenda-new") : [...document.querySelectorAll("[data-key]")].find((a) => a.dataset.key === key && shown(a));
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, select, textarea, details[open]")) return;
    if (e.key.startsWith("Arrow") && e.target.closest(".grid")) return; // they scroll it
    const link = linkFor(e.key);
    if (!link) return;
    e.preventDefault();
    link.click();
  });
  const jump = document.getElementById("agenda-date");
  if (!jump) return;
  jump.form.querySelector("button").hidden = true;
  jump.addEventListener("change", () => {
    if (jump.value) jump.form.requestSubmit();
  });
})();
