// Files on their way: how far they are, and which are too large to set out. The
// form works without it.
(() => {
  "use strict";
  const form = document.querySelector("form[data-upload]");
  if (!form) return;
  const files = form.querySelector("input[type=file]");
  const bar = form.querySelector("progress");
  const fault = document.getElementById("upload-fault");
  const limit = Number(form.dataset.limit);
  files.addEventListener("change", () => {
    const large = [...files.files].filter((f) => f.size > limit).map((f) => f.name);
    fault.textContent = large.length ? large.join(", ") + ": " + form.dataset.tooLarge : "";
    files.setCustomValidity(fault.textContent);
  });
  form.addEventListener("htmx:xhr:progress", (e) => {
    if (!e.detail.lengthComputable) return;
    bar.hidden = false;
    bar.value = (100 * e.detail.loaded) / e.detail.total;
  });
  form.addEventListener("htmx:beforeRequest", () => {
    fault.textContent = "";
  });
  form.addEventListener("htmx:afterRequest", () => {
    bar.hidden = true;
  });
})();
