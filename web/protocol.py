"""Writes net/protocol.ts, the page's types of all messages, from the server's JSON Schema.

python web/protocol.py            writes it
python web/protocol.py --check    compares it with what would be written

After a change of src/fuda/serve/protocol.py first:
python -m fuda.serve.protocol > src/fuda/serve/schema.json
"""

import json
import sys
from pathlib import Path
from typing import Any

WEB = Path(__file__).parent
SCHEMA = WEB.parent / "src/fuda/serve/schema.json"
TYPES = WEB / "net/protocol.ts"

HEAD = """\
// Written by web/protocol.py from src/fuda/serve/schema.json: do not edit. What the fields mean is told in
// src/fuda/serve/protocol.py and docs/protocol.md.
"""
WIDTH = 80  # of a union on one line
UNIONS = {"anyOf", "oneOf"}
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(schema: dict[str, Any]) -> str:
    """The TypeScript type of a value."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for key in UNIONS & schema.keys():
        return " | ".join(type_of(kind) for kind in schema[key])
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_of(item) for item in schema['prefixItems'])}]"
        item = type_of(schema["items"])
        return f"({item})[]" if schema["items"].keys() & UNIONS else f"{item}[]"
    if schema.get("type") == "object":
        values = schema["additionalProperties"]
        return f"Record<string, {'unknown' if values is True else type_of(values)}>"
    return PLAIN[schema["type"]]


def interface(name: str, schema: dict[str, Any]) -> str:
    """An object with named fields. What has a default may be left out; a message's type never is."""
    fields = []
    for field, kind in schema["properties"].items():
        left_out = field not in schema.get("required", ()) and "const" not in kind
        fields.append(f"  {field}{'?' if left_out else ''}: {type_of(kind)};\n")
    return f"export interface {name} {{\n{''.join(fields)}}}\n"


def alias(name: str, schema: dict[str, Any]) -> str:
    """Any other type: one line, or one for each of the messages that it may be."""
    one_line = type_of(schema)
    if len(one_line) < WIDTH:
        return f"export type {name} = {one_line};\n"
    return f"export type {name} =\n  | " + one_line.replace(" | ", "\n  | ") + ";\n"


def types(schema: dict[str, Any]) -> str:
    """The whole file."""
    definitions = schema["$defs"]
    parts = [HEAD, f"export const VERSION = {definitions['Welcome']['properties']['v']['const']};\n"]
    for name, kind in definitions.items():
        written = interface(name, kind) if kind.get("properties") else alias(name, kind)
        about = kind.get("description")
        parts.append(f"/** {about} */\n{written}" if about else written)
    return "\n".join(parts)


def main() -> None:
    """Write the types, or check them."""
    wanted = types(json.loads(SCHEMA.read_text(encoding="utf-8")))
    if "--check" not in sys.argv:
        TYPES.write_text(wanted, encoding="utf-8")
    elif not TYPES.exists() or TYPES.read_text(encoding="utf-8") != wanted:
        sys.exit("web/net/protocol.ts is not made from src/fuda/serve/schema.json: run make page")


if __name__ == "__main__":
    main()
