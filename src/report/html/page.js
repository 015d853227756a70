'use strict';
// Shows games on boards. All positions are in the data: this script knows no rules. Texts of records only ever become text nodes
// and attributes that hold no code.

const SVG = 'http://www.w3.org/2000/svg';
const PLAY_MS = 700;

/** An element with attributes and children; children that are texts become text nodes. */
function element(name, attributes = {}, children = [], space = null) {
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawn(name, attributes = {}, children = []) {
  return element(name, attributes, children, SVG);
}

/** Signs on buttons, which fonts may lack, as paths. */
const ICONS = {
  first: 'M2 2V14M14 2L5 8L14 14Z', back: 'M11 3L4 8L11 13', play: 'M4 2L14 8L4 14Z', pause: 'M5 2V14M11 2V14',
  on: 'M5 3L12 8L5 13', last: 'M14 2V14M2 2L11 8L2 14Z',
};

function icon(name) {
  return drawn('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, [drawn('path', { d: ICONS[name] })]);
}

/** An evaluation in thousandths as people write it, for the first side. */
function signed(value) {
  if (value === undefined) return '–';
  const text = (Math.abs(value) / 1000).toFixed(2);
  return (Number(text) === 0 ? '' : value > 0 ? '+' : '-') + text;
}

/** The letters on the board after each ply, the initial position first. */
function boardsOf(game) {
  const boards = [Array.from(game.start)];
  for (const ply of game.moves) {
    const board = boards[boards.length - 1].slice();
    for (const [point, letter] of ply.d) board[point] = letter;
    boards.push(board);
  }
  return boards;
}

class Viewer {
  constructor(place, data) {
    this.data = data;
    this.place = place;
    this.looks = new Map(data.pieces.map((piece) => [piece.letter, piece]));
    this.script = 0;
    this.timer = null;
    this.build();
    this.open(0);
  }

  build() {
    const { place, data } = this;
    place.tabIndex = 0;
    place.setAttribute('role', 'group');
    place.setAttribute('aria-label', 'Games: arrow keys step, Home and End jump, space plays, W goes to the widest disagreement');
    this.choice = element('select', { 'aria-label': 'Game' }, data.games.map((game, at) =>
      element('option', { value: at }, [this.title(game)])));
    this.choice.addEventListener('change', () => this.open(Number(this.choice.value)));
    this.board = drawn('svg', { class: 'board', role: 'img' });
    this.curve = drawn('svg', { class: 'curve', role: 'img', viewBox: '0 0 600 150', preserveAspectRatio: 'none' });
    this.curve.addEventListener('click', (event) => this.seek(event));
    this.key = element('p', { class: 'key legend' });
    this.status = element('p', { class: 'status', 'aria-live': 'polite' });
    this.moves = element('ol', { class: 'moves', 'aria-label': 'Moves' });
    this.slider = element('input', { type: 'range', min: 0, 'aria-label': 'Ply' });
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
    place.addEventListener('keydown', (event) => this.pressed(event));
    place.append(
      this.choice,
      element('div', { class: 'play' }, [
        element('div', { class: 'left' }, [this.board, this.controls(), this.slider, this.status]),
        element('div', { class: 'right' }, [this.key, this.curve, this.moves]),
      ]),
    );
  }

  title(game) {
    const [first, second] = game.names;
    const end = game.end ? `, ${game.end}` : '';
    return `Game ${game.number}: ${first} – ${second} ${game.result}${end}, ${game.moves.length} plies`;
  }

  controls() {
    const button = (label, sign, act) => {
      const made = element('button', { type: 'button', title: label, 'aria-label': label }, [ICONS[sign] ? icon(sign) : sign]);
      made.addEventListener('click', act);
      return made;
    };
    this.playing = button('Play or pause', 'play', () => this.toggle());
    this.toWidest = button('Where the players disagree most', 'widest disagreement', () => this.goWidest());
    const row = [
      button('First ply', 'first', () => this.go(0)),
      button('One ply back', 'back', () => this.go(this.ply - 1)),
      this.playing,
      button('One ply on', 'on', () => this.go(this.ply + 1)),
      button('Last ply', 'last', () => this.go(this.game.moves.length)),
      this.toWidest,
    ];
    if (this.data.pieces.some((piece) => piece.labels[1])) {
      row.push(button('Latin letters or the characters of the pieces', 'characters', () => { this.script = 1 - this.script; this.show(); }));
    }
    return element('div', { class: 'controls' }, row);
  }

  open(at) {
    this.stop();
    this.game = this.data.games[at];
    this.boards = boardsOf(this.game);
    this.slider.max = this.game.moves.length;
    [this.widest, this.gap] = this.game.widest || [0, 0];
    this.toWidest.disabled = !this.widest;
    this.drawCurve();
    this.listMoves();
    this.go(this.widest);
  }

  go(ply) {
    this.ply = Math.max(0, Math.min(ply, this.game.moves.length));
    if (this.ply === this.game.moves.length) this.stop();
    this.show();
  }

  goWidest() {
    if (this.widest) this.go(this.widest);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.ply === this.game.moves.length) this.go(0);
    this.playing.replaceChildren(icon('pause'));
    this.timer = setInterval(() => this.go(this.ply + 1), PLAY_MS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playing.replaceChildren(icon('play'));
  }

  pressed(event) {
    if (event.target === this.choice || event.altKey || event.ctrlKey || event.metaKey) return;
    const isButton = event.target.tagName === 'BUTTON';
    const acts = {
      ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1),
      Home: () => this.go(0), End: () => this.go(this.game.moves.length),
      w: () => this.goWidest(),
    };
    if (!isButton) acts[' '] = () => this.toggle();
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Goes to the ply at which the curve was clicked. */
  seek(event) {
    const box = this.curve.getBoundingClientRect();
    this.go(Math.round(((event.clientX - box.left) / box.width) * this.game.moves.length));
  }

  show() {
    const ply = this.game.moves[this.ply - 1];
    this.slider.value = this.ply;
    this.drawBoard(ply);
    this.status.replaceChildren(...this.told(ply));
    this.here.setAttribute('d', `M${this.x(this.ply)} 0V150`);
    for (const item of this.moves.querySelectorAll('[aria-current]')) item.removeAttribute('aria-current');
    const item = this.moves.children[this.ply - 1];
    if (!item) { this.moves.scrollTop = 0; return; }
    item.firstChild.setAttribute('aria-current', 'true');
    // Only the list scrolls, never the page.
    this.moves.scrollTop = item.offsetTop - this.moves.clientHeight / 2;
  }

  told(ply) {
    if (!ply) return [`Before the first move, of ${this.game.moves.length}.`];
    const who = `${this.game.names[ply.s]} (${this.data.sides[ply.s]})`;
    const words = [element('b', {}, [`Ply ${this.ply}: ${ply.m}`]), ` by ${who}`];
    if (ply.v !== undefined) words.push(`, who expects ${signed(ply.v)} for ${this.data.sides[0]}`);
    if (this.ply === this.widest) words.push(`: here the players disagree most, by ${(this.gap / 1000).toFixed(2)}`);
    words.push('.');
    if (ply.r) {
      const [rule, share] = ply.r;
      words.push(element('span', { class: 'rule' },
        [`The rule with the largest share before the move, ${share} % of all: ${this.data.rules[rule]}.`]));
    }
    if (ply.c) words.push(element('span', { class: 'comment' }, [ply.c]));
    return words;
  }

  drawBoard(ply) {
    const { size: [rows, columns], reach, lines, labels } = this.game;
    const edge = reach + 1.1;
    const letters = this.boards[this.ply];
    const at = (point) => [point % columns, Math.floor(point / columns)];
    const name = (text, x, y) => drawn('text', { class: 'name', x, y, dy: '.35em' }, [text]);
    const small = labels[0].map((text, x) => name(text, x, rows - 1 + reach + 0.8))
      .concat(labels[1].map((text, y) => name(text, -reach - 0.8, y)));
    const marks = (ply ? ply.d : []).map(([point]) => {
      const [x, y] = at(point);
      return drawn('circle', { class: letters[point] === '.' ? 'mark left' : 'mark', cx: x, cy: y, r: 0.5 });
    });
    const pieces = letters.flatMap((letter, point) => letter === '.' ? [] : [this.piece(letter, ...at(point))]);
    this.board.setAttribute('viewBox', `${-edge} ${-edge} ${columns - 1 + 2 * edge} ${rows - 1 + 2 * edge}`);
    this.board.setAttribute('aria-label', `Board after ply ${this.ply}`);
    this.board.replaceChildren(
      drawn('rect', { class: 'wood', x: -reach - 0.55, y: -reach - 0.55,
        width: columns + 2 * reach + 0.1, height: rows + 2 * reach + 0.1, rx: 0.2 }),
      drawn('path', { class: 'lines', d: lines }), ...small, ...pieces, ...marks);
  }

  piece(letter, x, y) {
    const look = this.looks.get(letter);
    const side = look ? this.data.sides[look.side] : 'none';
    const label = look ? (look.labels[this.script] || look.labels[0]) : letter;
    const children = [
      drawn('title', {}, [look ? `${side} ${look.name}` : letter]),
      drawn('circle', { cx: x, cy: y, r: 0.44 }),
    ];
    if (label) children.push(drawn('text', { x, y, dy: '.35em' }, [label]));
    return drawn('g', { class: `piece ${side}` }, children);
  }

  x(ply) {
    return (600 * ply) / Math.max(1, this.game.moves.length);
  }

  /** What both players expected for the first side, ply by ply. */
  drawCurve() {
    const y = (value) => 75 - value * 0.07;
    const curve = (side) => {
      const points = this.game.moves.flatMap((ply, at) =>
        ply.s === side && ply.v !== undefined ? [`${this.x(at + 1)} ${y(ply.v)}`] : []);
      return drawn('path', { class: side ? 'second' : 'first', d: points.length ? `M${points.join('L')}` : '' });
    };
    this.here = drawn('path', { class: 'here' });
    const level = (value, kind) => drawn('path', { class: kind, d: `M0 ${y(value)}H600` });
    const widest = this.widest ? [drawn('path', { class: 'widest', d: `M${this.x(this.widest)} 0V150` })] : [];
    this.curve.setAttribute('aria-label', 'Results that the players expected, by ply');
    this.curve.replaceChildren(
      level(1000, 'edge'), level(0, 'zero'), level(-1000, 'edge'), ...widest, curve(0), curve(1), this.here);
    const sample = (kind) => drawn('svg', { class: 'sample', viewBox: '0 0 30 6' },
      [drawn('path', { class: kind, d: 'M0 3H30' })]);
    const entry = (side) => element('span', {}, [
      sample(side ? 'second' : 'first'), ` ${this.data.sides[side]}: ${this.game.names[side]}`]);
    this.key.replaceChildren(
      entry(0), ' ', entry(1), element('span', {}, [`expected result for ${this.data.sides[0]}, -1 to +1, by ply`]));
  }

  listMoves() {
    this.moves.replaceChildren(...this.game.moves.map((ply, at) => {
      const button = element('button', { type: 'button', class: ply.s ? 'by-second' : 'by-first', tabindex: '-1' },
        [element('span', {}, [`${at + 1}. ${ply.m}`]), element('span', {}, [signed(ply.v)])]);
      button.addEventListener('click', () => this.go(at + 1));
      return element('li', {}, [button]);
    }));
  }
}

for (const place of document.querySelectorAll('.viewer[data-games]')) {
  try {
    new Viewer(place, JSON.parse(document.getElementById(place.dataset.games).textContent));
  } catch (error) {
    // The games of other runs are shown all the same.
    place.append(`These games cannot be shown: ${error.message}`);
  }
}
