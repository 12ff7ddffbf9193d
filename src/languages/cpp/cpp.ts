/** C++: read like C, with scopes of its own. */

import { cWriting } from '../c/c.ts';
import { defineLanguage } from '../language.ts';

const keywords = `alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept
  const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast
  else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
  operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof static static_assert
  static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void
  volatile wchar_t while xor xor_eq`;

export default defineLanguage({
  name: 'cpp',
  title: 'C++',
  extensions: ['cc', 'cpp', 'cxx', 'hpp', 'hh'],
  grammars: { cpp: { wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm' } },
  readsLike: 'c',
  ...cWriting,
  reserved: { always: keywords, members: keywords },
  family: 'c',
});
