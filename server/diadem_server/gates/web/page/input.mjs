// Keys, letters, taps and pasted text, as a terminal sends them.

const LETTERS = {
  ArrowUp: "A", ArrowDown: "B", ArrowRight: "C", ArrowLeft: "D", Home: "H", End: "F", F1: "P", F2: "Q", F3: "R", F4: "S",
};
const NUMBERS = { Insert: 2, Delete: 3, PageUp: 5, PageDown: 6, F6: 17, F7: 18, F8: 19, F9: 20, F10: 21 };
const PLAIN = { Enter: "\r", Escape: "\x1b", Backspace: "\x7f" };
const OURS_WITH_CTRL = /^[aekopqu]$/i; // all others are the browser's, as is whatever is held with Alt
const LONGEST_PASTE = 2000;
const SPARE = "    "; // stands in the field, so that there is something to erase

// What a key sends, "" if it is the browser's.
export function coded({ key, shiftKey, altKey, ctrlKey, altGraph }) {
  if (altGraph && [...key].length === 1) return key;
  if (altKey) return "";
  const held = 1 + shiftKey + 4 * ctrlKey;
  if (key in LETTERS) return held > 1 ? `\x1b[1;${held}${LETTERS[key]}` : (key[0] === "F" ? "\x1bO" : "\x1b[") + LETTERS[key];
  if (key in NUMBERS) return `\x1b[${NUMBERS[key]}${held > 1 ? ";" + held : ""}~`;
  if (key === "Tab") return ctrlKey ? "" : shiftKey ? "\x1b[Z" : "\t";
  if (key in PLAIN) return PLAIN[key];
  if ([...key].length !== 1) return "";
  if (!ctrlKey) return key;
  return shiftKey || !OURS_WITH_CTRL.test(key) ? "" : String.fromCharCode(key.toUpperCase().charCodeAt(0) & 31);
}

// Keyboards that compose put words right: how a field differs from what it was, as keys.
export function difference(before, after) {
  const [old, now] = [[...before], [...after]];
  let same = 0;
  while (same < old.length && same < now.length && old[same] === now[same]) same++;
  return "\x7f".repeat(old.length - same) + clean(now.slice(same).join(""));
}

const clean = text => text.replace(/[\x00-\x1f\x7f-\x9f]/g, "");

export function pasted(text) {
  const kept = [...text.replace(/\r\n?/g, "\n").replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "")].slice(0, LONGEST_PASTE).join("");
  return kept && `\x1b[200~${kept}\x1b[201~`;
}

export const tapped = (column, row) => `\x1b[<0;${column};${row}M\x1b[<0;${column};${row}m`;
export const rolled = (down, column, row) => `\x1b[<${down ? 65 : 64};${column};${row}M`;

// Listens to all of it; `cell(event)` says which cell is meant, and `send` takes what is to be sent.
export function listen(field, canvas, cell, send) {
  let before = SPARE;
  const empty = () => {
    field.value = before = SPARE;
    field.setSelectionRange(SPARE.length, SPARE.length);
  };
  const isText = ({ key, ctrlKey, altKey }) => [...key].length === 1 && !ctrlKey && !altKey;
  addEventListener("keydown", event => {
    if (event.isComposing || event.keyCode === 229 || event.metaKey || event.key === "Dead") return;
    if (event.target !== field && /^(INPUT|BUTTON)$/.test(event.target.tagName)) return; // the page's own form
    if (event.target === field && isText(event)) return; // comes as input
    const { key, shiftKey, altKey, ctrlKey } = event;
    const code = coded({ key, shiftKey, altKey, ctrlKey, altGraph: event.getModifierState("AltGraph") });
    if (!code) return;
    event.preventDefault();
    send(code);
  });
  field.addEventListener("focus", empty);
  field.addEventListener("beforeinput", event => {
    if (!/^insert(LineBreak|Paragraph)$/.test(event.inputType)) return;
    event.preventDefault();
    send("\r");
    empty();
  });
  field.addEventListener("input", event => {
    const keys = difference(before, field.value);
    before = field.value;
    if (keys) send(keys);
    if (!event.isComposing && (before.length < SPARE.length || before.length > 40)) empty();
  });
  field.addEventListener("compositionend", () => setTimeout(empty));
  addEventListener("paste", event => {
    if (event.target !== field && event.target.tagName === "INPUT") return;
    event.preventDefault();
    const keys = pasted(event.clipboardData?.getData("text") ?? "");
    if (keys) send(keys);
  });
  canvas.addEventListener("mousedown", event => event.preventDefault()); // the keyboard stays as it is
  const tap = event => {
    const place = cell(event);
    if (place) send(tapped(...place));
  };
  let scrolled = 0, last = null, finger = null, rests; // `last`: how high the finger was
  canvas.addEventListener("click", event => finger || tap(event)); // a busy browser makes no click of a finger's tap
  const scroll = (event, distance, step) => {
    scrolled += distance;
    const place = cell(event), times = Math.trunc(scrolled / step);
    if (!times || !place) return;
    scrolled -= times * step;
    send(rolled(times > 0, ...place).repeat(Math.min(9, Math.abs(times))));
  };
  canvas.addEventListener("wheel", event => {
    if (event.ctrlKey) return; // the browser zooms
    event.preventDefault();
    scroll(event, event.deltaY * (event.deltaMode ? 30 : 1), 60);
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => {
    finger = event.pointerType === "mouse" ? null : event;
    rests = finger && event.isPrimary;
    last = rests ? event.clientY : null;
  });
  canvas.addEventListener("pointermove", event => {
    if (last === null) return;
    if (Math.hypot(event.clientX - finger.clientX, event.clientY - finger.clientY) > 12) rests = false;
    scroll(event, last - event.clientY, 16);
    last = event.clientY;
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, event => {
    if (end === "pointerup" && rests && event.timeStamp - finger.timeStamp < 500) tap(event);
    rests = last = null;
  });
}
