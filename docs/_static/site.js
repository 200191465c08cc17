// What scrolls by itself can be reached and scrolled by keyboard; the two columns at the side say what they are.
"use strict";

function markWhatScrolls() {
  for (const each of document.querySelectorAll("article pre, article .table-wrapper")) {
    if (each.scrollWidth > each.clientWidth) {
      each.tabIndex = 0;
      each.dataset.scrolls = "";
    } else {
      each.removeAttribute("tabindex");
      delete each.dataset.scrolls;
    }
  }
}

function nameSides() {
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
}

// the words that were searched for are marked in the text alone, not in the names of pictures beside it
function sayWhereTheTextIs() {
  document.querySelector("div.article-container")?.classList.add("body");
}

document.addEventListener("DOMContentLoaded", () => {
  sayWhereTheTextIs();
  nameSides();
  markWhatScrolls();
});
window.addEventListener("resize", markWhatScrolls);
