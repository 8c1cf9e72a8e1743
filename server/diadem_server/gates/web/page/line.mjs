// The websocket to the gate: how it begins, why it ended, and when it comes back.

const LONGEST_WAIT = 10_000, STALE = 30_000, SILENT = 20_000; // milliseconds
const MOST_WAITING = 16_384; // bytes that the browser has not sent yet

// Milliseconds until the next try; `chance` from 0 to 1 spreads those that were cut off together.
export const pause = (tries, chance) => Math.min(LONGEST_WAIT, 250 * 2 ** tries) * (.5 + chance / 2);

// And how long a line may paint nothing: longer where the server has much to do.
export const patience = tries => SILENT * Math.min(4, 1 + tries);

// What is said of a close code, and whether the page comes back by itself or offers to.
export function ending(code, hadScreen) {
  switch (code) {
    case 1000: return { says: "bye", offers: "again" };
    case 1012: return { says: "restart" };
    case 1013: return { says: "busy" };
    case 4001: return { says: "elsewhere", offers: "here" };
    case 4002: return { says: "unfit", offers: "reload" };
    case 4003: return { says: "closed", offers: "" };
    case 4004: return { says: "flood", offers: "again" };
    default: return { says: hadScreen ? "lost" : "none" };
  }
}

// `told` has hello(hasScreen), begins(), hears(bytes), welcomed(frame) and ended(ending).
export class Line {
  #told; #socket = null; #tries = 0; #timer = 0; #over = true; #hadScreen = false; #hidden = 0; #why = null;

  constructor(told) {
    this.#told = told;
    for (const when of ["online", "pageshow"]) addEventListener(when, () => this.#call());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#hidden = Date.now();
      else this.#call(this.#hidden && Date.now() - this.#hidden > STALE); // it may be dead, and not know it
    });
  }

  open() {
    this.#over = false;
    this.#call();
  }

  // Whether it went: keys that nobody takes are not collected.
  send(data) {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > MOST_WAITING) return false;
    socket.send(data);
    return true;
  }

  #call(anew = false) {
    if (this.#over || this.#socket && !anew) return;
    clearTimeout(this.#timer);
    this.#socket?.close();
    const socket = this.#socket = new WebSocket(location.origin.replace("http", "ws") + "/ws");
    const ours = heard => event => socket === this.#socket && heard(event);
    let told = false;
    const over = ({ code }) => {
      clearTimeout(this.#timer);
      this.#socket = null;
      // While nobody answers, why the line ended first stays said
      const end = code === 1006 && this.#tries && this.#why || ending(code, this.#hadScreen);
      this.#why = end;
      this.#over = "offers" in end;
      if (this.#over) this.#hadScreen = false;
      else this.#timer = setTimeout(() => this.#call(), pause(this.#tries++, Math.random()));
      this.#told.ended(end);
    };
    // A client that paints nothing is given up for another
    this.#timer = setTimeout(() => {
      this.#hadScreen = false;
      socket.close();
      over({ code: 1006 });
    }, patience(this.#tries));
    socket.binaryType = "arraybuffer";
    socket.onopen = ours(() => {
      this.#told.begins();
      socket.send(JSON.stringify(this.#told.hello(this.#hadScreen)));
    });
    socket.onmessage = ours(({ data }) => {
      if (typeof data === "string") return this.#told.welcomed(JSON.parse(data));
      if (!told) {
        told = this.#hadScreen = true;
        this.#tries = 0;
        clearTimeout(this.#timer);
      }
      this.#told.hears(new Uint8Array(data));
    });
    socket.onclose = ours(over);
  }
}
