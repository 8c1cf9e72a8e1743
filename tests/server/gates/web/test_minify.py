"""What the page's files lose on their way means nothing to a browser."""

import quickjs

from diadem_server.gates.web import minify

SMALLER = {
    "const a = 1;\nconst b = a + 2; // two\n": "const a=1;const b=a+2;",
    "// nothing\n\n  f(a, b);\n": "f(a,b);",
    "return  x in  y;": "return x in y;",
    "a + +b - -c;": "a+ +b- -c;",
    "if (x) {\n  y();\n}\nz();": "if(x){y();}\nz();",
    "const x = {\n  a,\n  b,\n};": "const x={a,b,};",
    "f(a)\n  .then(b);": "f(a).then(b);",
}


def test_comments_and_blanks_go() -> None:
    assert {text: minify.script(text) for text in SMALLER} == SMALLER


KEPT = (
    '"a  // b"',
    "'it  is'",
    r'"say \"no  //\" "',
    "`  ${a}  // c`",
    r"/[ /]  \/ /.test(a)",
    '"https://  x"',
)


def test_what_stands_in_quotes_and_patterns_stays() -> None:
    around = ("const a = {};", "f({}) ;", "f(a, {});")
    scripts = [(kept, place.replace("{}", kept, 1)) for kept in KEPT for place in around]
    assert {script for kept, script in scripts if kept not in minify.script(script)} == set()


def test_a_division_is_no_pattern() -> None:
    assert minify.script("a = (b / 2) / c / 3;") == "a=(b/2)/c/3;"


def test_private_fields_are_named_shortly_and_stay_apart() -> None:
    fields = [f"#field{number}" for number in range(60)]
    declared = "".join(f"{each} = {number};\n" for number, each in enumerate(fields))
    added = " + ".join(f"this.{each}" for each in fields)
    small = minify.script(f"class A {{\n{declared}sum() {{\n return {added};\n}}\n}}\n")
    assert "#field" not in small
    context = quickjs.Context()
    context.eval(small)
    assert context.eval("new A().sum()") == sum(range(60))


def test_modules_are_one_script_and_each_is_in_it_once_before_it_is_used() -> None:
    modules = {
        "a.mjs": 'import { b } from "./b.mjs";\nimport { c } from "./c.mjs";\nb(c);\n',
        "b.mjs": 'import { c } from "./c.mjs";\nexport const b = c;\n',
        "c.mjs": "export function c() {}\n",
        "d.mjs": "nobody();\n",
    }
    assert minify.bundled(modules, "a.mjs") == "function c() {}\nconst b = c;\nb(c);\n"


def test_style_and_markup_keep_what_tells_words_apart() -> None:
    assert (
        minify.style(
            'a, b  c {\n  margin: 0 1px;\n  grid: "x y" 1fr;\n}\n@media (x: y) and (z) { d { e: f } }\n'
        )
        == 'a,b c{margin:0 1px;grid:"x y" 1fr}@media (x:y) and (z){d{e:f}}'
    )
    assert minify.markup("<p>\n<b>a b</b>\n</p>\n") == "<p><b>a b</b></p>"
