"use strict";
// a file can be dropped where it could be chosen, and its way to the server is shown; without this the form works as any form
function attach(drop) {
  const form = drop.closest("form"), input = drop.querySelector("input[type=file]");
  const named = drop.querySelector("[data-named]");
  const say = () => { if (named) named.textContent = [...input.files].map((file) => file.name).join(", "); };
  for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.remove("over");
  });
  drop.addEventListener("drop", (event) => {
    if (!event.dataTransfer || !event.dataTransfer.files.length) return;
    const one = new DataTransfer();
    one.items.add(event.dataTransfer.files[0]);
    input.files = one.files;
    say();
    if (form.hasAttribute("data-at-once") && form.reportValidity()) send(form);
  });
  input.addEventListener("change", say);
}

function isTooLarge(form) {
  const most = Number(form.dataset.mostBytes || Infinity);
  return [...form.querySelectorAll("input[type=file]")].some((input) => [...input.files].some((file) => file.size > most));
}

function complain(words) {
  const told = document.querySelector("main > .problem") || document.createElement("div");
  told.className = "problem";
  told.setAttribute("role", "alert");
  told.tabIndex = -1;
  told.textContent = words;
  document.querySelector("main").prepend(told);
  told.focus();
}

function send(form) {
  const bar = form.querySelector("progress"), told = form.querySelector("[data-told]");
  if (isTooLarge(form)) { complain(form.dataset.tooLarge); return; }
  const request = new XMLHttpRequest();
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  bar.hidden = false;
  request.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    bar.max = event.total;
    bar.value = event.loaded;
    told.textContent = Math.floor(100 * event.loaded / event.total) + " %";
  });
  request.addEventListener("load", () => {
    // the answer is a page: of the submission, or this one with what was wrong
    const place = request.responseURL || form.action;
    if (request.status < 400 && place !== form.action) { location.assign(place); return; }
    const answer = new DOMParser().parseFromString(request.responseText, "text/html");
    const now = document.querySelector("main"), next = answer.querySelector("main");
    if (!now || !next) { told.textContent = request.status + " " + form.dataset.failed; return; }
    now.replaceWith(document.adoptNode(next));
    const problem = document.querySelector(".problem");
    if (problem) { problem.tabIndex = -1; problem.focus(); }
    watch();
  });
  request.addEventListener("error", () => {
    told.textContent = form.dataset.failed;
    for (const button of form.querySelectorAll("button")) button.disabled = false;
  });
  request.open("POST", form.action);
  request.send(new FormData(form));
}

function watch() {
  for (const drop of document.querySelectorAll("[data-drop]")) attach(drop);
  for (const form of document.querySelectorAll("form[data-upload]")) {
    form.addEventListener("submit", (event) => { event.preventDefault(); send(form); });
  }
}
watch();
