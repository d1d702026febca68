// What the scripts of all pages have in common: the data of the page, and elements of it.
//
// Text of the user goes into a page as text nodes and attributes only, never as HTML.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

/** An element with attributes and children; a child that is no node is text. */
function make(space, tag, attributes, ...children) {
  const element = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}
const html = (tag, attributes, ...children) => make(null, tag, attributes, ...children);
const svg = (tag, attributes, ...children) => make(SVG, tag, attributes, ...children);

const number = (value, digits = 3) => Number(value).toLocaleString("en", { maximumSignificantDigits: Math.max(digits, Math.trunc(Math.abs(value)).toString().length) });
const percent = (value) => `${number(100 * value)}%`;
const facts = (list) => list.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)));
