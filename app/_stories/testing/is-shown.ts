/** Tells by the styles of the document whether the element is shown: a DOM has no layout to ask. */
export function isShown(element: Element): boolean {
  if (!element.isConnected) return false;
  for (let each: Element | null = element; each; each = each.parentElement) {
    const style = getComputedStyle(each);
    if (style.display === "none") return false;
    if (each === element && style.visibility === "hidden") return false;
    if (isFolded(each, element)) return false;
  }
  return true;
}

function isFolded(each: Element, inner: Element): boolean {
  if (each === inner || !(each instanceof HTMLDetailsElement) || each.open) return false;
  return !each.querySelector(":scope > summary")?.contains(inner);
}
