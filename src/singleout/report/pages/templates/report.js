"use strict";
// each drawing is one stop of the Tab key; arrows go along its marks, and the mark in hand says what it is
const tip = document.getElementById("tooltip");
let seen = null;

function hide() {
  tip.hidden = true;
  if (seen) seen.classList.remove("seen");
  seen = null;
}

function show(mark) {
  hide();
  seen = mark;
  mark.classList.add("seen");
  tip.textContent = mark.getAttribute("aria-label");
  tip.hidden = false;
  place(mark);
}

function place(mark) {
  const at = mark.getBoundingClientRect(), own = tip.getBoundingClientRect();
  const left = Math.min(Math.max(4, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 4);
  const above = at.top - own.height - 6;
  tip.style.left = Math.max(4, left) + "px";
  tip.style.top = Math.min(above < 4 ? at.bottom + 6 : above, innerHeight - own.height - 4) + "px";
}

function step(marks, from, key) {
  const last = marks.length - 1;
  const to = { ArrowRight: from + 1, ArrowDown: from + 1, ArrowLeft: from - 1, ArrowUp: from - 1, Home: 0, End: last }[key];
  if (to === undefined) return false;
  const next = Math.min(Math.max(to, 0), last);
  marks[from].tabIndex = -1;
  marks[next].tabIndex = 0;
  marks[next].focus();
  return true;
}

for (const drawing of document.querySelectorAll(".drawing")) {
  const marks = [...drawing.querySelectorAll(".role-mark [aria-label]")];
  marks.forEach((mark, place) => {
    mark.tabIndex = place ? -1 : 0;
    mark.addEventListener("focus", () => show(mark));
    mark.addEventListener("blur", hide);
    mark.addEventListener("pointerenter", () => show(mark));
    mark.addEventListener("pointerleave", hide);
    mark.addEventListener("keydown", (event) => {
      if (step(marks, place, event.key)) event.preventDefault();
    });
  });
}
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
// a mark that was reached by the keyboard is scrolled into view, and keeps its words
addEventListener("scroll", () => {
  if (seen && seen === document.activeElement) place(seen);
  else hide();
}, { passive: true });
// evidence that a link leads to opens, and all of it for whoever prints without the style for it
function reveal() {
  const to = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = to && to.querySelector(":scope > details");
  if (folded && !folded.open) {
    folded.open = true;
    to.scrollIntoView();
  }
}
reveal();
addEventListener("click", (event) => {
  if (event.target.closest('a[href^="#"]')) requestAnimationFrame(reveal);
});
if (!CSS.supports("selector(::details-content)")) {
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
}
