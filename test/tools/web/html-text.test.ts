// What a model reads of a page: its words in lines, without its markup and scripts, and an answer for every hostile
// page.
import { describe, expect, it } from "vitest";
import { decodeEntities } from "../../../src/tools/web/html-entities.ts";
import { readHtml } from "../../../src/tools/web/html-text.ts";

const HERE = new URL("https://example.com/news/today?x=1");
const read = (html: string) => readHtml(html, HERE);
const textOf = (html: string) => read(html).text;

describe("a page", () => {
  it("is read as its title, its main part in lines, and its links", () => {
    const page = read(`<!doctype html><html><head><meta charset=utf-8><title> Bread &amp;
      butter </title><style>p { color: red }</style><script>document.write("<p>no</p>")</script></head>
      <body><nav><a href="/">Home</a></nav>
      <main><h1>Bread</h1><p>Flour,   water &mdash; and
      <b>time</b>.</p><ul><li>Mix</li><li><p>Bake at 230&#176;</p></li></ul>
      <pre>  keep
    this</pre><p>More: <a href="../recipes?id=7#step">all recipes</a>, <a href="HTTPS://Other.example/">other</a>.</p></main>
      <footer>&copy; nobody</footer></body></html>`);
    expect(page).toEqual({
      title: "Bread & butter",
      text: "# Bread\nFlour, water — and time.\n- Mix\n- Bake at 230°\n  keep\n    this\nMore: all recipes, other.",
      links: [
        { text: "all recipes", url: "https://example.com/recipes?id=7" },
        { text: "other", url: "https://other.example/" },
      ],
    });
  });

  it.each([
    ["line breaks", "one<br>two<br/>three", "one\ntwo\nthree"],
    ["unclosed paragraphs", "<p>one<p>two", "one\ntwo"],
    ["an unclosed page", "<div><p>one<b>two", "onetwo"],
    ["table cells", "<table><tr><td>a</td><td>b</td></tr><tr><th>c<th>d</table>", "a b\nc d"],
    ["words across inline tags", "un<b>believ</b>able", "unbelievable"],
    ["comments", "a<!-- <b>x</b> -->b", "ab"],
    ["a raw less-than", "1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["an attribute with a bracket", '<img alt="a>b"><p>text', "text"],
    ["capital tags", "<P>One</P><SCRIPT>x</SCRIPT><P>Two", "One\nTwo"],
    ["no markup at all", "just words", "just words"],
    ["nothing", "", ""],
    ["an empty list item before text", "<ul><li></li></ul><p>text", "text"],
    ["a page of navigation alone", "<nav>Home</nav><footer>Imprint</footer>", "Home\nImprint"],
    ["an unclosed navigation", "<nav>Home<p>The article", "Home\nThe article"],
    ["an empty main part", "<main></main><p>Text", "Text"],
    ["a title that is a picture's", "<svg><title>icon</title></svg><p>x", "x"],
    ["a head whose closing tag is left out", "<head><title>t</title><meta charset=utf-8><body><p>x", "x"],
    ["a declaration of XML", '<?xml version="1.0"?><!ELEMENT a><p>x</p>', "x"],
    ["a closing tag that closes nothing", "<div>one</p></b> two</div>", "one two"],
    ["a closing tag with blanks and attributes", "<p>one</p class=x >two", "one\ntwo"],
    ["elements that overlap", "<b><p>one</b>two", "one\ntwo"],
    ["a tag that the end cuts off", "one<a href='x", "one"],
    ["tags within a script's text", "<script>if (a</b/.test(x)) '<p>'</script>x", "x"],
    ["more open elements than any page has", `${"<b>".repeat(5000)}one</b> two`, "one two"],
    ["a picture within too many elements", `${"<b>".repeat(5000)}<svg><g>no</g></svg>yes`, "yes"],
  ])("with %s", (_what, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it.each([
    ["/", "https://example.com/b"],
    ["https://Other.example/docs/", "https://other.example/docs/b"],
    ["javascript:x", "https://example.com/news/b"],
    ["https://[", "https://example.com/news/b"],
    // Each link is resolved against this base, which would cost the square of a page's length.
    [`https://other.example/${"x/".repeat(1012)}yy`, `https://other.example/${"x/".repeat(1012)}b`],
    [`https://other.example/${"x/".repeat(1012)}yyy`, "https://example.com/news/b"],
  ])("names the place to which its links are relative: %s", (base, url) => {
    const page = read(
      `<head><base target=_top><base href="${base}"><base href="/no/"></head><main><a href=b>B</a></main>`,
    );
    expect(page.links).toEqual([{ text: "B", url }]);
  });

  it.each([
    ["0; url=latest/", "https://example.com/news/latest/"],
    ["0;URL='/a?b=1&amp;c=2'", "https://example.com/a?b=1&c=2"],
    ["5, https://Other.example/", "https://other.example/"],
  ])("has a link to where it redirects by itself: %s", (content, url) => {
    expect(read(`<head><META content="${content}" HTTP-EQUIV=Refresh><title>Moved</title></head>`)).toEqual({
      title: "Moved",
      text: "",
      links: [{ text: "", url }],
    });
  });

  it("has no more links than are read, even if each redirects by itself", () => {
    const metas = Array.from({ length: 501 }, (_, at) => `<meta http-equiv=refresh content="0;url=a${at}">`);
    expect(read(metas.join("")).links.length).toBe(500);
    expect(read(metas.slice(0, 499).join("")).links.length).toBe(499);
  });

  it.each(["30", "0; url=", "0; url=?x=1", "0; url=javascript:x()", ";"])(
    "has no link if it only reloads itself: %s",
    (content) => expect(read(`<meta http-equiv=refresh content="${content}"><p>x`).links).toEqual([]),
  );

  it("has no links to itself, to scripts or to mail, and none twice", () => {
    const links =
      '<a href="#top">a</a><a href="/news/today?x=1">b</a><a href="javascript:x()">c</a><a href="mailto:a@b.c">d</a><a>e</a><a href="http://[">f</a><a href="/one"><b>One</b></a><a href="/one#two">Two</a>';
    expect(read(links).links).toEqual([{ text: "One", url: "https://example.com/one" }]);
  });

  it("takes linear rather than quadratic time in its length if it is hostile", () => {
    const MEBI = 2 ** 20;
    const pieces = [
      "<div>",
      "<a href=x>t",
      "<pre>   ",
      "&amp;",
      "<",
      "<!--",
      '<a b="',
      "</p>",
      "<title>",
      "<main><nav>",
      " ",
      "<meta http-equiv=refresh content='0;url=x'>",
      "<meta http-equiv=refresh content='",
      `<meta http-equiv=refresh content='0; ${" ".repeat(1e5)}"'>`,
    ];
    for (const piece of pieces) {
      const page = read(piece.repeat(Math.ceil(MEBI / piece.length)));
      expect(page.links.length, piece).toBeLessThanOrEqual(1);
    }
  });
});

describe("a character reference", () => {
  it.each([
    ["&lt;b&gt; &amp;amp; &quot;x&quot;&apos;", '<b> &amp; "x"\''],
    ["&eacute;&Eacute;&szlig;&nbsp;&yuml;", "éÉß\u00a0ÿ"],
    ["&#233; &#xe9; &#XE9; &#128512;", "é é é 😀"],
    ["&#0; &#xD800; &#x110000;", "\ufffd \ufffd \ufffd"],
    ["&notathing; & &; &amp &#; &#x;", "&notathing; & &; &amp &#; &#x;"],
    ["no references", "no references"],
    ["&constructor; &toString;", "&constructor; &toString;"],
  ])("is decoded if it is valid in %j", (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });
});

describe("what people don't see", () => {
  const HERE = new URL("https://example.com/");
  it.each([
    ["a hidden element", "<p hidden>secret</p>"],
    ["an element within a hidden one", "<div hidden><p>secret <a href=/x>secret</a></p></div>"],
    ["a hidden paragraph without an end", "<p hidden>secret"],
    ["no display", '<div style="color:red; display : none !important">secret</div>'],
    ["no visibility", "<span style='visibility:hidden'>secret</span>"],
    ["no opacity", "<span style=opacity:0>secret</span>"],
    ["no size", '<span style="font-size:0px">secret</span>'],
    ["a place outside the window", '<div style="position:absolute;left:-9999px">secret</div>'],
    ["a style with a character reference", '<div style="display&#58;none">secret</div>'],
    ["a style with a comment", '<div style="display:/* */none">secret</div>'],
    ["a comment", "<!-- secret -->"],
    ["a template", "<template>secret</template>"],
    [
      "what only a browser without embedding or frames would show",
      "<noembed>secret</noembed><noframes>secret</noframes>",
    ],
    ["suggestions of a field", "<datalist><option>secret</datalist>"],
    ["what stands for a sound or a film", "<video>secret</video><audio>secret</audio>"],
    ["a window that is not open", "<dialog><p>secret</dialog>"],
  ])("is not read: %s", (_what, html) => {
    const { text, links } = readHtml(`<body>before ${html}<p>after</p></body>`, HERE);
    expect([text.replace(/\s+/g, " "), links]).toEqual(["before after", []]);
  });

  it.each([
    '<body style="visibility:hidden"><p>seen</p></body>',
    '<p style="opacity:0.5">seen</p>',
    '<p style="font-size:0.9em">seen</p>',
    '<p style="text-indent:-10px">seen</p>',
    '<p data-hidden="x">seen</p>',
  ])("is not confused with what they do see: %s", (html) => expect(readHtml(html, HERE).text).toBe("seen"));
});
