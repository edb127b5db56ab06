// Style and behaviour of the html page.
#pragma once

#include <string_view>

namespace pdvc {

// Colours follow the reader's choice of light or dark.
constexpr std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1d1f22; --faint: #6a6f76; --rule: #d9d6cf;
  --event: #c9dcf2; --event-ink: #12304f; --now: #d9480f; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e9e7e2; --faint: #9aa0a8;
  --rule: #34383e; --event: #24405f; --event-ink: #dcebfb; --now: #ff8a4c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.25rem; margin: 0; overflow-wrap: anywhere; }
.facts, .problem { color: var(--faint); margin: .1rem 0 1rem; }
video { display: block; width: 100%; max-height: 60vh; background: #000; border-radius: .4rem; }
.timeline { position: relative; margin: 1rem 0 .25rem; height: calc(var(--lanes) * 1.9rem + .4rem);
  border-bottom: 1px solid var(--rule); }
.event { position: absolute; top: calc(var(--lane) * 1.9rem); left: var(--left); width: var(--width);
  min-width: 6px; height: 1.6rem; padding: 0 .35rem; border: 0; border-radius: .25rem; overflow: hidden;
  background: var(--event); color: var(--event-ink); font: inherit; font-size: .8rem; text-align: left;
  white-space: nowrap; text-overflow: ellipsis; cursor: pointer; }
.event.now, li.now .time { outline: 2px solid var(--now); outline-offset: -2px; }
.head { position: absolute; top: 0; bottom: 0; left: 0; width: 2px; background: var(--now);
  pointer-events: none; }
.ends { display: flex; justify-content: space-between; color: var(--faint); font-size: .8rem; }
ol { list-style: none; padding: 0; margin: 1.25rem 0 0; }
li { display: flex; gap: .8rem; align-items: baseline; padding: .35rem 0; border-top: 1px solid var(--rule); }
.time { flex: none; min-width: 8.5rem; padding: .1rem .4rem; border: 0; border-radius: .25rem;
  background: none; color: var(--faint); font: inherit; font-variant-numeric: tabular-nums;
  text-align: left; cursor: pointer; }
.score { margin-left: auto; color: var(--faint); font-size: .8rem; font-variant-numeric: tabular-nums; }
button:focus-visible { outline: 2px solid var(--now); }
)css";

// A click goes to the event; while the film plays, what happens now is marked. Without a film a
// click marks the event.
constexpr std::string_view kPageScript = R"js(
'use strict';
const film = document.querySelector('video');
const head = document.querySelector('.head');
const timed = [...document.querySelectorAll('[data-start]')];
const length = Number(document.querySelector('.timeline').dataset.length);
function mark(time, chosen) {
  for (const one of timed) {
    const inside = time >= Number(one.dataset.start) && time < Number(one.dataset.end);
    one.classList.toggle('now', chosen === undefined ? inside : one.dataset.event === chosen);
  }
  head.style.left = Math.min(100, 100 * time / length) + '%';
}
for (const one of timed) {
  one.addEventListener('click', () => {
    const start = Number(one.dataset.start);
    if (film) {
      film.currentTime = start;
      film.play().catch(() => {});
      mark(start);
    } else {
      mark(start, one.dataset.event);
    }
  });
}
if (film) {
  film.addEventListener('timeupdate', () => mark(film.currentTime));
  film.addEventListener('error', () => { document.querySelector('.problem').hidden = false; });
}
)js";

}  // namespace pdvc
