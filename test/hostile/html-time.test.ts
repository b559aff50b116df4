import { beforeAll, expect, it } from 'vitest';
import { htmlToText } from '../../src/streams/mail-html.ts';
import { bestTime } from '../support/own-time.ts';

const many = (text: string, length = 1_000_000) => text.repeat(Math.ceil(length / text.length));
const read = (html: string) => bestTime(() => htmlToText(html), 1);
let plainTime = 0;
beforeAll(() => {
  plainTime = read(many('<p class=x>x'));
});
it.each([
  ['<p>', many('<p>x')],
  ['<div>', many('<div>')],
  ['</div>', many('<div></b></i></p>')],
  ['different bold', Array.from({ length: 40_000 }, (_, nth) => `<b id=${nth}><p>`).join('')],
  ['misplaced parts', `<table>${many('<a>x</a><i>')}`],
  ['misplaced text', `<table>${many('x<b>')}`],
  ['bold over blocks', many('<b><div></b>')],
  ['attributes', `<p ${Array.from({ length: 90_000 }, (_, nth) => `a${nth}`).join(' ')}>`],
  ['rules for all', `<style>${many('*{color:red}', 100_000)}</style>${many('<p>x', 200_000)}`],
  ['rules for a class', `<style>${many('a b c d .x{color:red}', 300_000)}</style>${many('<p class=x>x')}`],
  [
    'steps up',
    `<style>${many('p p p p p .x{color:red}', 100_000)}</style>${many('<div>', 2000)}${many('<p class=x>x', 300_000)}`,
  ],
  ['siblings', `<style>${many('q ~ .x{color:red}', 10_000)}</style>${many('<i class=x></i>', 500_000)}`],
  ['possible rules', `<style>${many('.x:a{color:red}', 20_000)}</style>${many('<i class=x></i>', 500_000)}`],
  ['open blocks', `<style>${many('a{')}`],
  ['brackets', `<style>${many('(')}`],
  ['a long style', `<p style="${many('a:b;')}">x`],
  ['a long value', `<p style="background:${many('rgb( ')}">x`],
  ['gradients', `<p style="background:${many('linear-gradient(red,blue),')}">x`],
  ['papers', many('<div style="background:linear-gradient(red,blue,#000,#fff,#ccc)"><p>x</p></div>')],
  ['different styles', Array.from({ length: 30_000 }, (_, nth) => `<p style="width:${nth + 9}px">x`).join('')],
  ['comments', many('<!--')],
  ['entities', many('&')],
  ['quotes', many('<a href="')],
  ['scripts', many('<script>')],
  ['selectors', `<style>${many('a,')}{color:red}</style>`],
])('a megabyte of %s takes no more than some times as long as one of plain paragraphs', (_, html) => {
  expect(read(html)).toBeLessThan(6 * plainTime);
});
