"""Renders templates by Python's Jinja2, with the settings of Hugging Face's transformers.

Reads lines of JSON with a template and its variables, and answers each with a line of JSON: the text, or null for a refusal.
"""

import json
import sys
import warnings

from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

warnings.simplefilter("ignore")


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
environment.filters["tojson"] = to_json

for line in sys.stdin:
    job = json.loads(line)
    try:
        text = environment.from_string(job["template"]).render(**job["variables"])
    except Exception:
        text = None
    print(json.dumps(text))
