"""A plain account of JSON Schema, as far as ours goes: what another language's checker would say."""

from typing import Any

TYPES: dict[str, Any] = {
    "null": type(None), "boolean": bool, "integer": int, "number": (int, float), "string": str,
    "array": list, "object": dict,
}  # fmt: skip


def agrees(schema: dict[str, Any], value: Any, definitions: dict[str, Any]) -> bool:
    """Whether a value is as the schema says."""
    if "$ref" in schema:
        return agrees(definitions[schema["$ref"].rpartition("/")[2]], value, definitions)
    if "anyOf" in schema:
        return any(agrees(kind, value, definitions) for kind in schema["anyOf"])
    if "const" in schema:
        return value == schema["const"]
    if "enum" in schema:
        return value in schema["enum"]
    if "type" not in schema:
        return True
    if not isinstance(value, TYPES[schema["type"]]) or (
        isinstance(value, bool) and schema["type"] != "boolean"
    ):
        return False
    size = len(value) if isinstance(value, str | list | dict) else value
    for low, high in (
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ):
        if low in schema and not schema[low] <= size <= schema[high]:
            return False
    if isinstance(value, list):
        return all(agrees(schema["items"], item, definitions) for item in value)
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema["additionalProperties"]
        if not set(schema.get("required", ())) <= set(value):
            return False
        for key, item in value.items():
            if key in known:
                if not agrees(known[key], item, definitions):
                    return False
            elif others is False or not agrees(others, item, definitions):
                return False
    return True
