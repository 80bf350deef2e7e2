// One seat's socket: says hello, connects again when it breaks, and sends again what was not acknowledged.

import {
  VERSION,
  type Continue,
  type FromServer,
  type Hello,
  type Move,
  type Resign,
  type Snapshot,
  type Takeback,
  type ToServer,
} from "./protocol";

export type Link = "connecting" | "live" | "lost" | "closed";

type Decision = Move | Continue | Takeback | Resign;

const RETRY_MS = [250, 500, 1000, 2000, 4000];
/** How long to wait after so many attempts in vain. */
export const pauseBefore = (attempt: number): number => RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)];

const PING_MS = 15_000;
/** A server that has said nothing for so long after it was spoken to is away, even if the connection still stands. */
const ANSWER_MS = 10_000;
/** Closes that connecting again cannot mend: wrong secret, other rules, a deleted or damaged table, a seat that was left. */
const FINAL = new Set([4400, 4401, 4409, 4410, 4411, 4412]);

/** Not `crypto.randomUUID`: that is missing where the page comes from another machine, without TLS. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

export class Connection {
  seq: number | null = null;
  private takebacks = 0; // with seq they tell positions apart
  private socket: WebSocket | null = null;
  private waiting: Decision | null = null;
  private attempt = 0;
  private timer = 0; // of the next attempt
  private pinger = 0;
  private watch = 0;
  private ended = false;

  constructor(
    private readonly hello: Pick<Hello, "table" | "seat" | "secret" | "watch">,
    private readonly onMessage: (message: FromServer) => void,
    private readonly onLink: (link: Link, code: number) => void,
  ) {
    window.addEventListener("offline", this.onOffline);
    window.addEventListener("online", this.onOnline);
    this.connect();
  }

  /** The device has lost its network: nobody waits until the server's silence tells. */
  private onOffline = (): void => {
    if (!this.socket) return;
    this.drop();
    this.lose(0);
  };

  private onOnline = (): void => {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.connect();
  };

  /** A decision: a new id, and sent again until it is answered. */
  decide(type: Decision["type"], seq: number, move?: string): void {
    const at = type === "resign" ? { seq } : { seq, takebacks: this.takebacks };
    this.waiting = { type, id: newId(), ...at, ...(move === undefined ? {} : { move }) } as Decision;
    this.say(this.waiting);
  }

  say(message: ToServer): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    // All is answered at once but that for which an agent has to think.
    if (message.type !== "hint" && message.type !== "step") this.expectAnswer();
  }

  private expectAnswer(): void {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => {
      this.drop();
      this.lose(0);
    }, ANSWER_MS);
  }

  /** Lets go of the socket: nothing that it still brings is heard. */
  private drop(): void {
    clearInterval(this.pinger);
    clearTimeout(this.watch);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private lose(code: number): void {
    this.onLink("lost", code);
    this.timer = window.setTimeout(() => this.connect(), pauseBefore(this.attempt++));
  }

  close(): void {
    this.ended = true;
    window.removeEventListener("offline", this.onOffline);
    window.removeEventListener("online", this.onOnline);
    clearTimeout(this.timer);
    this.drop();
  }

  private connect(): void {
    this.timer = 0;
    const address = new URL("/api/v1/socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      this.say({ type: "hello", v: VERSION, ...this.hello, seq: this.seq, takebacks: this.takebacks });
      clearInterval(this.pinger);
      this.pinger = window.setInterval(() => this.say({ type: "ping" }), PING_MS);
    };
    socket.onmessage = (event) => {
      clearTimeout(this.watch);
      this.receive(JSON.parse(event.data) as FromServer);
    };
    socket.onclose = (event) => {
      this.drop();
      if (this.ended) return;
      if (FINAL.has(event.code)) this.onLink("closed", event.code);
      else this.lose(event.code);
    };
  }

  private receive(message: FromServer): void {
    if (message.type === "welcome") {
      this.attempt = 0;
      this.onLink("live", 0);
      if (this.waiting) this.say(this.waiting);
    }
    if ((message.type === "ack" || message.type === "refused") && message.id === this.waiting?.id)
      this.waiting = null;
    if (message.type === "error") this.waiting = null; // the person is told, and decides anew
    if (message.type === "moved" || message.type === "ended") this.seq = message.seq;
    if (message.type === "snapshot") this.stand(message);
    if (message.type === "refused" && message.snapshot) this.stand(message.snapshot);
    this.onMessage(message);
  }

  private stand({ seq, takebacks }: Snapshot): void {
    this.seq = seq;
    this.takebacks = takebacks;
  }
}
