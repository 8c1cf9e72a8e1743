// Puts the page together: the form, the screen, the keys for fingers, and the line.
import { Screen } from "./cells.mjs";
import { Painter, fit } from "./draw.mjs";
import { listen } from "./input.mjs";
import { Line } from "./line.mjs";
import { language, texts } from "./texts.mjs";

const $ = id => document.getElementById(id);
const lang = language(navigator.languages ?? [navigator.language]), say = texts(lang);
const touch = matchMedia("(pointer:coarse)").matches;
const table = location.pathname.slice(1).toUpperCase();
const [place, canvas, field] = [$("place"), $("screen"), $("field")];
const painter = new Painter(canvas), encoder = new TextEncoder();

// A browser may keep nothing; then it is asked again.
const keep = (store, key, value) => {
  try {
    if (value === undefined) return window[store].getItem(key) ?? "";
    window[store].setItem(key, value);
  } catch { }
  return "";
};

// Sound only after something was pressed, as browsers want it

let sound = null;
const wake = () => (sound ??= new AudioContext()).resume();
for (const kind of ["pointerup", "keydown"]) addEventListener(kind, wake, { once: true });

function ring() {
  if (sound?.state !== "running") return;
  const tone = sound.createOscillator(), volume = sound.createGain(), now = sound.currentTime;
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(.08, now);
  volume.gain.exponentialRampToValueAtTime(.001, now + .35);
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(now + .35);
}

// The screen

let asked = 0, mirrored = 0;
const screen = new Screen(80, 24, { bell: ring, title, answer: keys => send(keys) });

function title(words) {
  document.title = words || "Diadem";
  $("turn").lastChild.data = $("news").textContent = words;
}

function paint() {
  asked = 0;
  painter.paint(screen);
  clearTimeout(mirrored);
  mirrored = setTimeout(() => $("text").textContent = screen.lines().join("\n"), 100);
}

const repaint = () => asked ||= requestAnimationFrame(paint);

function lay() {
  const ratio = devicePixelRatio || 1, size = fit(place.clientWidth * ratio, place.clientHeight * ratio, ratio);
  document.body.classList.toggle("narrow", touch && size.narrow);
  painter.resize(size, ratio);
  const other = size.cols !== screen.cols || size.rows !== screen.rows;
  screen.resize(size.cols, size.rows);
  repaint();
  if (other) line.send(JSON.stringify({ size: [size.cols, size.rows] }));
}

function cell({ clientX, clientY }) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const column = Math.floor((clientX - left) / width * screen.cols), row = Math.floor((clientY - top) / height * screen.rows);
  return column >= 0 && row >= 0 && column < screen.cols && row < screen.rows && [column + 1, row + 1];
}

// The line

const line = new Line({
  hello: hadScreen => ({
    v: 1, lang, touch, name: keep("localStorage", "name"), size: [screen.cols, screen.rows], resume: hadScreen,
    // Whoever was led to a table once, and loads the page again, is found a seat by the server
    table: hadScreen || keep("sessionStorage", "led") === table ? "" : table,
  }),
  begins: () => screen.restart(),
  hears(bytes) {
    show("");
    screen.feed(bytes);
    repaint();
  },
  welcomed() {
    keep("sessionStorage", "led", table);
  },
  ended({ says, offers }) {
    if (offers === "again" && says === "bye") return ask(say.bye, say.again);
    show(say[says], offers);
  },
});

const send = keys => line.send(encoder.encode(keys));

// What lies over the screen: a sentence, with a button where one has to choose, or the form

function show(words, offers = "") {
  $("over").hidden = !words;
  $("words").textContent = words;
  $("offer").hidden = !offers;
  $("offer").textContent = say[offers] ?? "";
  $("who").hidden = true;
  if (!words && !touch) field.focus({ preventScroll: true });
}

function ask(words, button) {
  show(words || " ");
  $("who").hidden = false;
  $("name").value = keep("localStorage", "name");
  $("go").textContent = button;
  $("name").focus();
}

function begin() {
  show(say.calling);
  line.open();
}

$("who").addEventListener("submit", event => {
  event.preventDefault();
  const name = $("name").value.trim();
  if (!name) return;
  keep("localStorage", "name", name);
  begin();
});
$("offer").addEventListener("click", () => location.reload());

// Keys for fingers: what each sends, at the left and at the right; two of them are for the page

const KEYS = [
  ["Esc", "\x1b"], ["Tab", "\t"], ["?", "?"], ["␣", " "], ["ABC", letters], ["⌨", keyboard],
  ["⌫", "\x7f"], ["↑", "\x1b[A"], ["←", "\x1b[D"], ["→", "\x1b[C"], ["↓", "\x1b[B"], ["⏎", "\r"],
];

function letters() {
  document.body.classList.toggle("letters");
}

function keyboard() {
  if (document.activeElement === field) field.blur();
  else field.focus({ preventScroll: true });
}

function key(label, name, does, row) {
  const button = document.createElement("button");
  let again = 0;
  const press = () => typeof does === "string" ? send(does) : does();
  const stop = () => clearInterval(again);
  button.textContent = label;
  button.setAttribute("aria-label", name);
  button.addEventListener("mousedown", event => event.preventDefault());
  button.addEventListener("click", event => event.detail || press()); // by a screen reader
  button.addEventListener("pointerdown", event => {
    stop();
    press();
    // Arrows and erasing go on while held
    if (/^(\x1b\[|\x7f)/.test(does)) again = setTimeout(() => again = setInterval(press, 90), 400);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, stop);
  row.append(button);
}

KEYS.forEach(([label, does], at) => key(label, say.keys[at], does, $(at < 6 ? "left" : "right")));
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") key(letter, letter, letter.toLowerCase(), $("abc"));

// The keyboard of a phone covers the lower part: the screen is lifted by as much

visualViewport?.addEventListener("resize", () => {
  const covered = touch && document.activeElement === field ? Math.max(0, innerHeight - visualViewport.height * visualViewport.scale) : 0;
  place.style.transform = covered ? `translateY(-${covered}px)` : "";
  place.classList.toggle("zoomed", visualViewport.scale > 1);
});

document.documentElement.lang = lang;
field.setAttribute("aria-label", say.type);
$("text").setAttribute("aria-label", say.screen);
$("ask").textContent = say.name;
$("turn").firstChild.data = say.turn;
listen(field, canvas, cell, send);
new ResizeObserver(lay).observe(place);
// Where a page of another site may have opened this one, it takes a click: it would take over the game in another window.
const linked = "linked" in document.documentElement.dataset && performance.getEntriesByType("navigation")[0]?.type !== "reload";
if (keep("localStorage", "name") && !linked) begin();
else ask(table ? say.table.replace("{table}", table) : linked && say.linked, say.play);
