// Draws a scene. Two layers: pictures, which move, and over them what can be pressed or read aloud, which does not.
// Everything is placed by transforms, so that nothing on the page ever shifts.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Deck } from "../decks/deck";
import type { Item, Scene } from "./scene";
import { places, type Spot, type Zone } from "./zones";

/** What the table knows about a card beyond its place. */
export interface Look {
  name?: string; // read aloud
  press?: () => void; // a card without it cannot be pressed
  lit?: boolean;
  dim?: boolean;
  raised?: boolean;
  badge?: string; // a small figure, under rank and suit or over the upper edge
  best?: boolean; // marks the badge
  tag?: string; // a small label at the foot
}

interface StageProps {
  deck: Deck;
  zones: Zone[];
  scene: Scene;
  looks: Record<string, Look>;
  from?: Record<string, string>;
  motion: number; // duration of a move in milliseconds, 0: none
  /** Zones in the order in which they are read and reached by the keyboard. */
  order: string[];
  onSweep?: (ids: string[]) => void; // a finger or mouse drawn across cards that can be pressed
  children?: ComponentChildren;
}

/** Cards that are less wide have no room within for a badge. */
const ROOMY = 40;

const at = (spot: Spot, lift = 0): string =>
  `translate(${spot.x.toFixed(1)}px, ${(spot.y - lift).toFixed(1)}px)`;

function Picture({
  item,
  deck,
  spot,
  start,
  look,
  motion,
}: {
  item: Item;
  deck: Deck;
  spot: Spot;
  start?: Spot;
  look: Look;
  motion: number;
}) {
  const element = useRef<HTMLDivElement>(null);
  const lift = look.raised ? Math.max(6, spot.height * 0.14) : 0;
  // A new card starts where it comes from and then goes to its place like any other.
  useLayoutEffect(() => {
    const card = element.current!;
    if (start && motion) {
      card.style.transition = "none";
      card.style.transform = `${at(start)} scale(${(start.width / spot.width).toFixed(3)})`;
      card.getBoundingClientRect();
      card.style.transition = "";
    }
    card.style.transform = at(spot, lift);
  }, []);
  const style = {
    width: `${spot.width.toFixed(1)}px`,
    height: `${spot.height.toFixed(1)}px`,
    zIndex: spot.z,
    transform: at(spot, lift),
  };
  const badgeTop = deck.corner && spot.width >= ROOMY ? `${(spot.height * deck.corner).toFixed(1)}px` : "";
  const flags = ["card", look.lit && "lit", look.dim && "dim", look.raised && "raised", look.best && "best"]
    .filter(Boolean)
    .join(" ");
  return (
    <div ref={element} class={flags} style={style} data-card={item.id}>
      <img src={deck.picture(item.face)} alt="" draggable={false} />
      {look.tag && <span class="tag">{look.tag}</span>}
      {look.badge && (
        <span class="badge" style={{ top: badgeTop }}>
          {look.badge}
        </span>
      )}
    </div>
  );
}

/** Arrow keys go from card to card within a zone, and up and down between zones. */
function onArrow(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  const group = target.closest<HTMLElement>("[data-zone]");
  if (!group) return;
  const cards = [...group.querySelectorAll<HTMLElement>("button")];
  const index = cards.indexOf(target);
  if (event.key in steps && index >= 0) {
    event.preventDefault();
    cards[Math.max(0, Math.min(cards.length - 1, index + steps[event.key]))].focus();
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    const groups = [...group.parentElement!.querySelectorAll<HTMLElement>("[data-zone]")].filter((zone) =>
      zone.querySelector("button"),
    );
    groups.sort((a, b) => Number(a.dataset.top) - Number(b.dataset.top));
    const next = groups[groups.indexOf(group) + (event.key === "ArrowUp" ? -1 : 1)];
    if (!next) return;
    event.preventDefault();
    next.querySelector<HTMLElement>("button")!.focus();
  }
}

export function Stage({ deck, zones, scene, looks, from, motion, order, onSweep, children }: StageProps) {
  const spots = places(zones, scene, deck.aspect);
  const last = useRef<Map<string, Spot>>(new Map());
  const previous = last.current;
  useEffect(() => {
    last.current = spots;
  });
  const items = Object.values(scene).flat();
  // A fixed order in the document: elements that are moved about in it would lose their animation.
  items.sort((a, b) => (a.id < b.id ? -1 : 1));

  const hadFocus = useRef<{ zone: string; index: number } | null>(null);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const lost = hadFocus.current;
    if (!lost || document.activeElement !== document.body) return;
    const left = layer.current!.querySelectorAll<HTMLElement>(`[data-zone="${lost.zone}"] button`);
    const any = left.length ? left : layer.current!.querySelectorAll<HTMLElement>("button");
    any[Math.min(lost.index, any.length - 1)]?.focus();
  });

  const sweep = useRef<string[] | null>(null);
  const under = (event: PointerEvent): string | undefined =>
    (document.elementFromPoint(event.clientX, event.clientY) as HTMLElement | null)?.closest<HTMLElement>(
      "button[data-id]",
    )?.dataset.id;
  const sweeping = onSweep && {
    onPointerDown: (event: PointerEvent) => {
      const id = under(event);
      sweep.current = id ? [id] : null;
    },
    onPointerMove: (event: PointerEvent) => {
      if (!sweep.current || !event.buttons) return;
      const id = under(event);
      if (id && !sweep.current.includes(id)) sweep.current.push(id);
    },
    onPointerUp: () => {
      if (sweep.current && sweep.current.length > 1) onSweep(sweep.current);
      sweep.current = null;
    },
  };

  return (
    <div class={motion ? "stage" : "stage still"} style={{ "--move": `${motion}ms` }} {...sweeping}>
      <div class="pictures" aria-hidden="true">
        {items.map((item) => {
          const spot = spots.get(item.id);
          const origin = from?.[item.id];
          return (
            spot && (
              <Picture
                key={item.id}
                item={item}
                deck={deck}
                spot={spot}
                start={origin ? previous.get(origin) : undefined}
                look={looks[item.id] ?? {}}
                motion={motion}
              />
            )
          );
        })}
      </div>
      {children}
      <div class="targets" ref={layer} onKeyDown={onArrow}>
        {order.map((id) => {
          const zone = zones.find((candidate) => candidate.id === id);
          const read = (scene[id] ?? []).filter((item) => looks[item.id]?.name);
          if (!zone || !read.length) return null;
          return (
            <div key={id} role="group" aria-label={zone.label} data-zone={id} data-top={zone.box.y}>
              {read.map((item, index) => {
                const spot = spots.get(item.id)!;
                const look = looks[item.id];
                const style = {
                  transform: at(spot, look.raised ? Math.max(6, spot.height * 0.14) : 0),
                  width: `${spot.width}px`,
                  height: `${spot.height}px`,
                  zIndex: spot.z,
                };
                return look.press ? (
                  <button
                    key={item.id}
                    type="button"
                    class="target"
                    style={style}
                    aria-label={look.name}
                    aria-pressed={look.raised === undefined ? undefined : look.raised}
                    data-id={item.id}
                    onClick={look.press}
                    onFocus={() => (hadFocus.current = { zone: id, index })}
                  />
                ) : (
                  <span
                    key={item.id}
                    role="img"
                    class="target"
                    style={style}
                    aria-label={look.name}
                    data-id={item.id}
                  />
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}
