// Cells on a canvas. Lines and blocks are drawn as rectangles, so that no font has to have them.
import { BOLD, DIM, ITALIC, OWN, REVERSE, STRUCK, UNDERLINE } from "./cells.mjs";

const INK = 0xebe5d9, GROUND = 0x1a191d;
const FONT = 'ui-monospace,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace';
const SMALL = [80, 24], LARGE = [110, 36], MOST = [200, 70];
const LEAST_HEIGHT = 17, MOST_HEIGHT = 26; // of a cell, in pixels of the style sheet

// How thick the arms of a line are, up, right, down and left: 1 thin, 2 thick, 3 double; then how many dashes.
const ARMS = new Map(Object.entries({
  "─": "0101", "│": "1010", "━": "0202", "┃": "2020", "═": "0303", "║": "3030",
  "┌": "0110", "┐": "0011", "└": "1100", "┘": "1001",
  "├": "1110", "┤": "1011", "┬": "0111", "┴": "1101", "┼": "1111",
  "╌": "01012", "╍": "02022", "╎": "10102", "╏": "20202",
  "┄": "01013", "┅": "02023", "┆": "10103", "┇": "20203",
  "┈": "01014", "┉": "02024", "┊": "10104", "┋": "20204",
}));
const ROUND = { "╭": [1, 1], "╮": [-1, 1], "╰": [1, -1], "╯": [-1, -1] }; // to the right, and down
const QUARTERS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14]; // of ▖ to ▟: 1 and 2 above, 4 and 8 below

const thinnest = width => Math.max(1, Math.round(width / 9));

// The rectangles that a letter is made of, with how much of the ink they take; null for what a font draws.
export function rectangles(letter, width, height) {
  const code = letter.codePointAt(0);
  if (code >= 0x2580 && code < 0x25a0) return block(code, width, height);
  return ARMS.has(letter) ? strokes(ARMS.get(letter), width, height) : null;
}

function block(code, width, height) {
  const across = n => Math.round(width * n / 8), down = n => Math.round(height * n / 8);
  const eighth = code - 0x2580;
  if (!eighth) return [[0, 0, width, down(4), 1]];
  if (eighth < 9) return [[0, height - down(eighth), width, down(eighth), 1]];
  if (eighth < 16) return [[0, 0, across(16 - eighth), height, 1]];
  if (eighth === 16) return [[across(4), 0, width - across(4), height, 1]];
  if (eighth < 20) return [[0, 0, width, height, (eighth - 16) / 4]]; // shades
  if (eighth === 20) return [[0, 0, width, down(1), 1]];
  if (eighth === 21) return [[width - across(1), 0, across(1), height, 1]];
  const [x, y] = [across(4), down(4)];
  const quarters = [[0, 0, x, y, 1], [x, 0, width - x, y, 1], [0, y, x, height - y, 1], [x, y, width - x, height - y, 1]];
  return quarters.filter((_, at) => QUARTERS[eighth - 22] & 1 << at);
}

function strokes(arms, width, height) {
  const thin = thinnest(width), found = [], dashes = +arms[4] || 0;
  for (let at = 0; at < 4; at++) {
    const thick = arms[at] === "2" ? 2 * thin : thin, upright = at % 2 === 0;
    if (arms[at] === "0" || dashes && at > 1) continue;
    for (const aside of arms[at] === "3" ? [-thin, thin] : [0]) {
      const x = (width - thick >> 1) + (upright ? aside : 0), y = (height - thick >> 1) + (upright ? 0 : aside);
      const length = (upright ? height : width) / (dashes || 1);
      for (let dash = 0; dash < dashes; dash++) {
        const start = Math.round(length * (dash + .2)), end = Math.max(1, Math.round(length * .6));
        found.push(upright ? [x, start, thick, end, 1] : [start, y, end, thick, 1]);
      }
      if (dashes) continue;
      if (at === 0) found.push([x, 0, thick, y + thick, 1]);
      else if (at === 1) found.push([x, y, width - x, thick, 1]);
      else if (at === 2) found.push([x, y, thick, height - y, 1]);
      else found.push([0, y, x + thick, thick, 1]);
    }
  }
  return found;
}

// How many cells of which size fill a place, in pixels of the device: as large as all that is needed allows.
export function fit(width, height, ratio) {
  const largest = ([cols, rows]) => {
    const high = Math.floor(Math.min(height / rows, width / cols * 2.1, MOST_HEIGHT * ratio));
    return [Math.floor(Math.min(width / cols, high / 1.65)), high];
  };
  let [wide, high] = largest(LARGE);
  if (high < LEAST_HEIGHT * ratio) [wide, high] = largest(SMALL);
  [wide, high] = [Math.max(3, wide), Math.max(6, high)];
  const count = (room, size, at) => Math.max(SMALL[at], Math.min(MOST[at], Math.floor(room / size)));
  // Held upright, a phone has room for letters that one can hardly read
  const narrow = wide < 6 * ratio && width < height;
  return { cols: count(width, wide, 0), rows: narrow ? LARGE[1] : count(height, high, 1), wide, high, narrow };
}

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.shapes = new Map();
  }

  resize({ cols, rows, wide, high }, ratio) {
    Object.assign(this, { wide, high, thin: thinnest(wide) });
    const { canvas, context } = this, size = Math.min(high * .84, wide / .6);
    canvas.width = cols * wide;
    canvas.height = rows * high;
    canvas.style.width = canvas.width / ratio + "px";
    Object.assign(canvas.dataset, { columns: cols, rows });
    canvas.style.height = canvas.height / ratio + "px";
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.fonts = ["", "bold ", "italic ", "italic bold "].map(each => `${each}${size}px ${FONT}`);
    this.shapes.clear();
  }

  paint(screen) {
    for (const y of screen.dirty) this.#row(screen, y);
    screen.dirty.clear();
  }

  #row({ cols, letters, inks, grounds, marks }, y) {
    const { context, wide, high, thin } = this, start = y * cols, end = start + cols, top = y * high;
    const fill = colour => context.fillStyle = "#" + colour.toString(16).padStart(6, "0");
    const ink = at => inks[at] === OWN ? INK : inks[at], ground = at => grounds[at] === OWN ? GROUND : grounds[at];
    const over = at => marks[at] & REVERSE ? ground(at) : ink(at), under = at => marks[at] & REVERSE ? ink(at) : ground(at);
    for (let at = start, next; at < end; at = next) {
      for (next = at + 1; next < end && under(next) === under(at);) next++;
      fill(under(at));
      context.fillRect((at - start) * wide, top, (next - at) * wide, high);
    }
    for (let at = start; at < end; at++) {
      const letter = letters[at], mark = marks[at], left = (at - start) * wide;
      if (!letter || letter === " " && !(mark & (UNDERLINE | STRUCK))) continue;
      const room = at + 1 < end && !letters[at + 1] ? 2 * wide : wide;
      fill(over(at));
      context.globalAlpha = mark & DIM ? .6 : 1;
      this.#letter(letter, mark, left, top, room);
      if (mark & UNDERLINE) context.fillRect(left, top + high - thin, room, thin);
      if (mark & STRUCK) context.fillRect(left, top + (high >> 1), room, thin);
      context.globalAlpha = 1;
    }
  }

  #letter(letter, mark, left, top, room) {
    const { context, wide, high } = this;
    if (letter in ROUND) return this.#corner(...ROUND[letter], left, top);
    if (!this.shapes.has(letter) && /^[\u2500-\u259f]$/.test(letter)) this.shapes.set(letter, rectangles(letter, wide, high));
    const shape = this.shapes.get(letter), whole = context.globalAlpha;
    if (shape) {
      for (const [x, y, width, height, share] of shape) {
        context.globalAlpha = whole * share;
        context.fillRect(left + x, top + y, width, height);
      }
    } else if (letter !== " ") {
      context.font = this.fonts[(mark & BOLD ? 1 : 0) + (mark & ITALIC ? 2 : 0)];
      context.fillText(letter, left + room / 2, top + high / 2, room);
    }
  }

  #corner(right, down, left, top) {
    const { context, wide, high, thin } = this, round = wide / 2;
    const x = left + (wide - thin >> 1) + thin / 2, y = top + (high - thin >> 1) + thin / 2;
    context.strokeStyle = context.fillStyle;
    context.lineWidth = thin;
    context.beginPath();
    context.moveTo(x, down > 0 ? top + high : top);
    context.lineTo(x, y + down * round);
    context.quadraticCurveTo(x, y, x + right * round, y);
    context.lineTo(right > 0 ? left + wide : left, y);
    context.stroke();
  }
}
