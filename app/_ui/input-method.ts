/**
 * Key code of a key that an input method handled; Safari marks its last key only so, since it ends the composition
 * before.
 */
const processedKey = 229;

/**
 * Stops the keys of an input method before any handler, so that Enter only takes a conversion and Escape only cancels
 * it. Call before React and its libraries listen. @see https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode
 */
export function keepKeysOfInputMethods(page: EventTarget): void {
  const held = new Set<string>();
  const onKeyDown = (event: Event) => {
    if (!isKey(event)) return;
    if (!event.isComposing && event.keyCode !== processedKey) held.delete(event.code);
    else {
      held.add(event.code);
      event.stopImmediatePropagation();
    }
  };
  // The release of such a key looks like any other.
  const onKeyUp = (event: Event) => {
    if (isKey(event) && (held.delete(event.code) || event.isComposing))
      event.stopImmediatePropagation();
  };
  page.addEventListener("keydown", onKeyDown, { capture: true });
  page.addEventListener("keyup", onKeyUp, { capture: true });
}

/** A browser that fills in a form sends key events without a key. */
function isKey(event: Event): event is KeyboardEvent {
  return "code" in event && "keyCode" in event;
}
