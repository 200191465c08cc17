// What scrolls by itself can be reached and scrolled by keyboard; the two columns at the side say what they are;
// code can be copied, and an option stays on one line.
"use strict";

const WRITTEN_BY_PEOPLE = ["bash", "shell", "python", "toml", "yaml", "json"];

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

function keepOptionsWhole() {
  for (const each of document.querySelectorAll("article code .pre")) {
    if (/^[([]*-/.test(each.textContent)) {
      each.classList.add("option");
    }
  }
}

// where a page may not write to the clipboard by itself, what is marked is copied
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function addCopyButton(block) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    await copyText(block.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}

function addCopyButtons() {
  const blocks = WRITTEN_BY_PEOPLE.map((each) => `article .highlight-${each} > .highlight`).join();
  document.querySelectorAll(blocks).forEach(addCopyButton);
}

document.addEventListener("DOMContentLoaded", () => {
  keepOptionsWhole();
  addCopyButtons();
  sayWhereTheTextIs();
  nameSides();
  markWhatScrolls();
});
window.addEventListener("resize", markWhatScrolls);
