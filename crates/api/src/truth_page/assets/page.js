// Lays each result on its original, under a slider. Without this script, both are shown beside each other.
"use strict";

for (const comparison of document.querySelectorAll("[data-compare]")) {
  const original = comparison.querySelector(".original picture");
  const result = comparison.querySelector(".result picture");
  if (!original || !result) continue;
  const links = [...comparison.querySelectorAll("figcaption a")];

  const stack = document.createElement("div");
  stack.className = "stack";
  result.className = "result";
  stack.append(original, result);

  const label = document.createElement("label");
  label.textContent = "Slide between the original and the result";
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = "0";
  slider.max = "100";
  slider.value = "50";
  label.append(slider);

  const names = document.createElement("div");
  names.className = "names";
  names.append(...links);

  const cut = () => {
    stack.style.setProperty("--cut", `${slider.value}%`);
    slider.setAttribute("aria-valuetext", `${slider.value} percent original`);
  };
  slider.addEventListener("input", cut);
  cut();

  comparison.replaceChildren(stack, label, names);
  comparison.classList.add("sliding");
}
