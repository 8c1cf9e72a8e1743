// What the driver of the client says, put into cells. Nothing here knows of a browser.

export const BOLD = 1, DIM = 2, ITALIC = 4, UNDERLINE = 8, BLINK = 16, REVERSE = 32, STRUCK = 64;
export const OWN = -1; // the terminal's own colour; any other is 0xRRGGBB
export const SIXTEEN = [
  0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5,
  0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff,
];
const LONGEST = 512; // characters of a sequence that are read; the rest of it is dropped
const MARKS_ON_A_LETTER = 8;
const SWITCHES = new Map([[1, BOLD], [2, DIM], [3, ITALIC], [4, UNDERLINE], [5, BLINK], [7, REVERSE], [9, STRUCK]]);
// As wide as Textual takes them for
const WIDE = /(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufad9\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fe3}\u{17000}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3134a}]/u;
const MARK = /[\p{M}\u1160-\u11ff\u3164\ud7b0-\ud7ff\uffa0\u{1f3fb}-\u{1f3ff}]/u;

export const width = letter => letter < "\u0300" ? 1 : MARK.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;

function indexed(n) {
  if (n < 16) return SIXTEEN[n];
  if (n > 231) return (8 + (n - 232) * 10) * 0x10101;
  const level = v => v ? 55 + v * 40 : 0;
  return level((n - 16) / 36 | 0) << 16 | level(((n - 16) / 6 | 0) % 6) << 8 | level((n - 16) % 6);
}

// `told` may have title(words), bell(), answer(keys) and unknown(sequence).
export class Screen {
  #told; #pen; #state; #said; #code; #more; #least;

  constructor(cols, rows, told = {}) {
    this.#told = told;
    this.cols = this.rows = 0;
    this.dirty = new Set();
    this.restart();
    this.resize(cols, rows);
  }

  // Another program begins to speak; what stands there stays until it paints.
  restart() {
    this.x = this.y = 0;
    this.#pen = { ink: OWN, ground: OWN, marks: 0 };
    this.#state = this.#text;
    this.#said = "";
    this.#more = 0;
  }

  resize(cols, rows) {
    const { cols: oldCols, rows: oldRows, letters, inks, grounds, marks } = this, size = cols * rows;
    this.letters = new Array(size).fill(" ");
    this.inks = new Int32Array(size).fill(OWN);
    this.grounds = new Int32Array(size).fill(OWN);
    this.marks = new Uint8Array(size);
    this.cols = cols;
    this.rows = rows;
    for (let y = 0; y < Math.min(rows, oldRows); y++) {
      for (let x = 0; x < Math.min(cols, oldCols); x++) {
        const to = y * cols + x, from = y * oldCols + x;
        this.letters[to] = letters[from];
        this.inks[to] = inks[from];
        this.grounds[to] = grounds[from];
        this.marks[to] = marks[from];
      }
    }
    this.x = Math.min(this.x, cols);
    this.y = Math.min(this.y, rows - 1);
    this.dirty = new Set(Array(rows).keys());
  }

  lines() {
    return Array.from({ length: this.rows }, (_, y) => this.letters.slice(y * this.cols, (y + 1) * this.cols).join("").trimEnd());
  }

  // Bytes as they come: a piece may end within a sequence or a letter.
  feed(bytes) {
    for (const byte of bytes) this.#decode(byte);
  }

  #decode(byte) {
    if (byte >> 6 === 2 && this.#more) {
      this.#code = this.#code << 6 | byte & 63;
      if (--this.#more) return;
      const bad = this.#code < this.#least || this.#code > 0x10ffff || this.#code >> 11 === 27;
      this.#state(bad ? "\ufffd" : String.fromCodePoint(this.#code));
      return;
    }
    if (this.#more) this.#state("\ufffd");
    this.#more = byte < 0xc0 || byte > 0xf7 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#code = byte & (0x3f >> this.#more);
    this.#least = [0, 0x80, 0x800, 0x10000][this.#more];
    if (!this.#more) this.#state(byte < 0x80 ? String.fromCharCode(byte) : "\ufffd");
  }

  // What comes next is read as text, as the letter after ESC, or as part of a sequence.

  #text(letter) {
    if (letter === "\x1b") this.#state = this.#escaped;
    else if (letter === "\r") this.x = 0;
    else if (letter === "\n") this.y = Math.min(this.rows - 1, this.y + 1);
    else if (letter === "\b") this.x = Math.max(0, Math.min(this.x, this.cols - 1) - 1);
    else if (letter === "\x07") this.#told.bell?.();
    else if (letter >= " " && letter !== "\x7f" && !(letter >= "\x80" && letter < "\xa0")) this.#write(letter);
  }

  #escaped(letter) {
    this.#said = "";
    this.#state = letter === "[" ? this.#control : letter === "]" ? this.#order : this.#text;
    if (letter === "\x1b") this.#state = this.#escaped;
    else if (this.#state === this.#text && letter !== "\\") this.#told.unknown?.("ESC " + letter);
  }

  #control(letter) {
    if (letter === "\x1b") this.#state = this.#escaped;
    else if (letter >= "@" && letter <= "~") {
      this.#state = this.#text;
      this.#obey(this.#said, letter);
    } else if (letter >= " " && letter < "@") this.#said = (this.#said + letter).slice(0, LONGEST);
    else this.#state = this.#text; // broken off
  }

  #order(letter) {
    if (letter === "\x1b" || letter === "\x07") {
      this.#state = letter === "\x07" ? this.#text : this.#escaped;
      const [, kind, words] = /^(\d*);?([^]*)$/.exec(this.#said) ?? [];
      if (kind === "0" || kind === "2") this.#told.title?.(words.replace(/\p{C}/gu, " "));
      else if (kind !== "22") this.#told.unknown?.("OSC " + kind); // 22 is the shape of the pointer
    } else if (letter < " ") this.#state = this.#text;
    else this.#said = (this.#said + letter).slice(0, LONGEST);
  }

  #obey(given, kind) {
    const numbers = given.split(";").map(each => Math.min(+each || 0, 9999)), steps = numbers[0] || 1;
    const { cols, rows } = this, column = Math.min(this.x, cols - 1);
    if (/[^\d;]/.test(given)) {
      // Modes, and questions that are left without an answer
      if (kind === "h" && given === "?1049") this.#clear();
      else if (!/^(\?[\d;]+[hl]|\?\d+\$p|[<>]\d*u)$/.test(given + kind)) this.#told.unknown?.("CSI " + given + kind);
    } else if (kind === "m") this.#dress(numbers);
    else if (kind === "n" && numbers[0] === 6) this.#told.answer?.(`\x1b[${this.y + 1};${column + 1}R`); // how long is the line?
    else if (kind === "H") {
      this.y = Math.min(rows, steps) - 1;
      this.x = Math.min(cols, numbers[1] || 1) - 1;
    } else if (kind === "A") this.y = Math.max(0, this.y - steps);
    else if (kind === "B") this.y = Math.min(rows - 1, this.y + steps);
    else if (kind === "C") this.x = Math.min(cols - 1, column + steps);
    else if (kind === "D") this.x = Math.max(0, column - steps);
    else if (kind !== "t") this.#told.unknown?.("CSI " + given + kind); // t keeps and restores titles
  }

  #dress(numbers) {
    const pen = this.#pen;
    for (let at = 0; at < numbers.length; at++) {
      const n = numbers[at], tens = n / 10 | 0, ones = n % 10;
      if (SWITCHES.has(n)) pen.marks |= SWITCHES.get(n);
      else if (!n) this.#pen = Object.assign(pen, { ink: OWN, ground: OWN, marks: 0 });
      else if (n === 22) pen.marks &= ~(BOLD | DIM);
      else if (tens === 2 && SWITCHES.has(ones)) pen.marks &= ~SWITCHES.get(ones);
      else if (![3, 4, 9, 10].includes(tens)) this.#told.unknown?.("SGR " + n);
      else {
        const field = tens === 3 || tens === 9 ? "ink" : "ground";
        if (ones < 8) pen[field] = SIXTEEN[tens > 8 ? ones + 8 : ones];
        else if (ones === 9 || tens > 8) pen[field] = OWN;
        else if (numbers[at + 1] === 5) {
          pen[field] = indexed(numbers[at + 2] & 255);
          at += 2;
        } else {
          const [r, g, b] = numbers.slice(at + 2, at + 5);
          pen[field] = (r & 255) << 16 | (g & 255) << 8 | b & 255;
          at += 4;
        }
      }
    }
  }

  #clear() {
    this.letters.fill(" ");
    this.inks.fill(OWN);
    this.grounds.fill(OWN);
    this.marks.fill(0);
    this.x = this.y = 0;
    this.dirty = new Set(Array(this.rows).keys());
  }

  // Lines are not wrapped. The second cell of a wide letter is empty.
  #write(letter) {
    const wide = width(letter), row = this.y * this.cols;
    this.dirty.add(this.y);
    if (!wide) {
      let at = row + Math.max(0, this.x - 1);
      if (!this.letters[at] && this.x > 1) at--;
      if (this.letters[at].length < MARKS_ON_A_LETTER) this.letters[at] += letter;
      return;
    }
    this.x = Math.min(this.x, this.cols - 1);
    for (const each of wide > 1 ? [letter, ""] : [letter]) {
      if (this.x >= this.cols) break;
      const at = row + this.x++;
      this.letters[at] = each;
      this.inks[at] = this.#pen.ink;
      this.grounds[at] = this.#pen.ground;
      this.marks[at] = this.#pen.marks;
    }
  }
}
