// Copying and printing. What is copied can be selected without it.
(() => {
  "use strict";
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    const words = button.querySelector("span");
    const before = words.textContent;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
      words.textContent = button.dataset.copied;
      document.getElementById("said").textContent = button.dataset.copied;
      setTimeout(() => {
        words.textContent = before;
        document.getElementById("said").textContent = "";
      }, 2000);
    });
  }
  const print = document.querySelector("[data-print]");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }
})();
