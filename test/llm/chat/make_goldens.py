#!/usr/bin/env python3
"""Writes what the chat templates of the tests print, as Jinja prints it with the settings of transformers.

make_goldens.py           writes goldens.json, of cases.txt and of templates/ with conversations.json
make_goldens.py FOLDER    writes qwen3.json, of the template of the Qwen3 model in FOLDER with qwen3-conversations.json
"""

import datetime
import json
import pathlib
import sys

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

HERE = pathlib.Path(__file__).parent
NOW = datetime.datetime(2025, 3, 9, 14, 5, 6)
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
CASE = {
    "messages": [
        {"role": "user", "content": "Hi <|im_end|>"},
        {"role": "assistant", "content": "<think>\nhm\n</think>\n\nyes", "n": 1},
    ],
    "tools": [{"type": "function", "function": {"name": "f"}}],
}
REASONING = ("reasoning_content", "thinking", "reasoning")


class Generation(jinja2.ext.Extension):
    """The tag with which transformers finds what the model has written; the text is not changed by it."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def make_namespace(*args, **attributes):
    attributes = dict(*args, **attributes)
    for name in attributes:
        check_name(name)
    return Namespace(attributes)


def check_name(name):
    if name.startswith("_"):
        raise jinja2.exceptions.SecurityError(name)


class Namespace(jinja2.utils.Namespace):
    def __setitem__(self, name, value):
        check_name(name)
        super().__setitem__(name, value)


def make_environment():
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = NOW.strftime
    environment.globals["namespace"] = make_namespace
    return environment


def normalize(message):
    """Drops keys without a value, and fills in the other names of the reasoning."""
    message = {key: value for key, value in message.items() if value is not None}
    reasoning = next((message[key] for key in REASONING if key in message), None)
    return message if reasoning is None else {"thinking": reasoning, **message, "reasoning_content": reasoning}


def render(environment, template, conversation, tokens):
    """The text; None where Jinja fails."""
    if isinstance(conversation, list):
        conversation = {"messages": conversation}
    variables = {"tools": None, "documents": None, "add_generation_prompt": False, **tokens, **conversation}
    variables["messages"] = [normalize(message) for message in conversation["messages"]]
    try:
        return environment.from_string(template).render(**variables)
    except (jinja2.exceptions.TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None


def write(name, content):
    (HERE / name).write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def write_own(environment):
    lines = (HERE / "cases.txt").read_text(encoding="utf-8").splitlines()
    cases = [line.replace("⏎", "\n") for line in lines if not line.startswith("# ")]
    conversations = json.loads((HERE / "conversations.json").read_text(encoding="utf-8"))
    templates = {path.stem: path.read_text(encoding="utf-8") for path in sorted((HERE / "templates").glob("*.jinja"))}
    write(
        "goldens.json",
        {
            "cases": [[case, render(environment, case, CASE, {})] for case in cases],
            "templates": {
                name: [render(environment, text, each, TOKENS) for each in conversations] for name, text in templates.items()
            },
        },
    )


def write_qwen3(environment, folder):
    config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    conversations = json.loads((HERE / "qwen3-conversations.json").read_text(encoding="utf-8"))
    tokens = {"eos_token": config["eos_token"], "pad_token": config["pad_token"]}
    write("qwen3.json", [render(environment, config["chat_template"], each, tokens) for each in conversations])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_qwen3(make_environment(), pathlib.Path(sys.argv[1]))
    else:
        write_own(make_environment())
