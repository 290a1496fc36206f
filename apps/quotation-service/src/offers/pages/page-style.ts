/** The style of all pages: for a phone first, then wider screens, then paper. */
export const pageStyle = `
:root { color-scheme: light; --ink: #1c2530; --quiet: #566170; --line: #dde3e9; --accent: #1d4f7c; --ground: #f3f5f7; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; background: #fff; }
h1, h2, h3, p { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; margin-top: .35rem; }
h2 { font-size: 1.15rem; line-height: 1.35; color: var(--accent); }
a { color: var(--accent); }
.quiet { color: var(--quiet); font-size: .9rem; }
.text { white-space: pre-line; unicode-bidi: isolate; }
header .logo { display: block; max-width: 11rem; max-height: 4rem; margin-bottom: .75rem; }
header .seller { font-weight: 650; }
header .kind { margin-top: 1.5rem; color: var(--accent); font-weight: 650; }
header .text { margin-top: .75rem; }
header .quiet.text { margin-top: 0; }
.facts { display: grid; grid-template-columns: 1fr 1fr; gap: .9rem 1.25rem; margin: 1.5rem 0 0; padding: 1.1rem 1.25rem;
  background: var(--ground); border-radius: .6rem; }
.facts dt { color: var(--quiet); font-size: .82rem; }
.facts dd { margin: 0; font-weight: 600; white-space: pre-line; }
.facts .total { grid-column: 1 / -1; }
.facts .total dd { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; align-items: center; }
.button { display: inline-block; min-height: 3rem; padding: .7rem 1.4rem; border: 1px solid var(--accent);
  border-radius: .5rem; background: var(--accent); color: #fff; font: inherit; font-weight: 600; text-decoration: none;
  cursor: pointer; }
.button.plain { background: #fff; color: var(--accent); }
.button:hover { filter: brightness(1.12); }
.button.plain:hover { filter: none; background: var(--ground); }
:focus-visible { outline: 3px solid #7fb2de; outline-offset: 2px; }
.package { margin-top: 2.25rem; }
.package > .text { margin-top: .15rem; }
table { width: 100%; margin-top: .6rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { font-weight: 400; font-size: .82rem; color: var(--quiet); text-align: left; }
td, th { padding: .55rem 0; vertical-align: top; }
tr { border-bottom: 1px solid var(--line); }
.number { text-align: right; white-space: nowrap; }
tfoot tr { border: 0; }
tfoot th { padding-top: .7rem; }
tfoot td { font-weight: 650; }
.totals { margin: 2rem 0 0 auto; max-width: 24rem; font-variant-numeric: tabular-nums; }
.totals div { display: flex; justify-content: space-between; gap: 1rem; padding: .2rem 0; }
.totals dd { margin: 0; white-space: nowrap; }
.totals .sum { margin-top: .4rem; padding-top: .6rem; border-top: 2px solid var(--accent); font-size: 1.25rem;
  font-weight: 700; }
.terms { margin-top: 1.5rem; }
.notice { padding: 1rem 1.25rem; border-radius: .6rem; border-left: .3rem solid var(--accent); background: #eaf2f9;
  margin-bottom: 1.75rem; }
.notice.good { border-color: #23744a; background: #e8f5ee; }
.notice.warn { border-color: #a65d00; background: #fdf3e4; }
.notice strong { display: block; font-size: 1.1rem; }
.answer { margin-top: 2.5rem; padding: 1.5rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; }
.answer h2 { color: var(--ink); font-size: 1.3rem; }
label { display: block; margin: 1.1rem 0 .3rem; font-weight: 600; }
input, textarea { width: 100%; padding: .7rem .8rem; border: 1px solid #9aa5b1; border-radius: .5rem; background: #fff;
  color: inherit; font: inherit; }
.answer .button { width: 100%; margin-top: 1.1rem; text-align: center; }
.error { color: #a3200d; font-weight: 600; margin-top: .35rem; }
details { margin-top: 1.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
summary { cursor: pointer; color: var(--quiet); }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (max-width: 39.99rem) {
  thead { display: none; }
  tbody tr { display: grid; grid-template-columns: 1fr auto; column-gap: 1rem; padding: .65rem 0; }
  tbody td { padding: 0; }
  tbody .what { grid-column: 1 / -1; }
  tbody .each { display: none; }
  tbody .many { text-align: left; white-space: normal; color: var(--quiet); font-size: .9rem; }
  tfoot tr { display: flex; justify-content: space-between; }
}
@media (min-width: 40rem) {
  main { margin: 2.5rem auto; padding: 3.25rem 3.5rem 3.5rem; border-radius: .9rem;
    box-shadow: 0 1px 2px #1c253014, 0 12px 40px #1c253012; }
  h1 { font-size: 2.15rem; }
  .facts { grid-template-columns: 1.4fr 1fr 1fr; }
  .facts .total { grid-column: auto; }
  .facts .wide { grid-column: span 2; }
  th.number, td.number { padding-left: 1.25rem; }
  .many .times { display: none; }
  .answer { padding: 1.75rem 2rem 2rem; }
  .answer .button { width: auto; }
}
@media print {
  body, main { background: #fff; }
  main { max-width: none; margin: 0; padding: 0; box-shadow: none; }
  .actions, .answer { display: none; }
  .facts, .notice { border: 1px solid var(--line); }
  h1, h2, .package > .text { break-after: avoid; }
  tr, .totals, .notice { break-inside: avoid; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
}
`;
