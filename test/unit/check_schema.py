# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Hold the published JSON Schema against the examples that the reader is tested with.

    check_schema.py SCHEMA DOCUMENT... GOOD... -- BAD...

Good files must pass, and so must every YAML example of a document (*.md), completed to a model. A bad file must fail where its second line says "# schema: refuses", and must
pass where it says "# schema: cannot tell": those mistakes are in names, units or arithmetic.
Exit status 77 when this Python lacks a module.
"""
import json
import re
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(missing)
    sys.exit(77)


def problems(validator, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        return ["not YAML: " + str(error).splitlines()[0]]
    return [error.message[:200] for error in validator.iter_errors(document)]


def verdict(path):
    with open(path, encoding="utf-8") as file:
        return file.readlines()[1].strip() == "# schema: refuses"


def examples(path, schema):
    """The YAML blocks of a document; items without a section are joints or forces by their type."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    joints = schema["definitions"]["joint"]["properties"]["type"]["enum"]
    for block in re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        model = yaml.safe_load(block)
        if not set(model) <= set(schema["properties"]):
            types = [item["type"] for item in model.values()]
            model = {"joints" if set(types) <= set(joints) else "forces": model}
        yield block, {"articula": 1, **model}


def main():
    schema_path, rest = sys.argv[1], sys.argv[2:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    good, bad = rest[: rest.index("--")], rest[rest.index("--") + 1 :]
    documents = [path for path in good if path.endswith(".md")]
    good = [path for path in good if path not in documents]

    failures = 0
    for document in documents:
        for block, model in examples(document, schema):
            for error in validator.iter_errors(model):
                print(f"{document}: {block}{error.message[:200]}")
                failures += 1
    for path in good:
        for problem in problems(validator, path):
            print(f"{path}: {problem}")
            failures += 1
    for path in bad:
        found = problems(validator, path)
        if verdict(path) and not found:
            print(f"{path}: the schema lets it pass")
            failures += 1
        if not verdict(path) and found:
            print(f"{path}: the schema can tell: {found[0]}")
            failures += 1
    print(f"{len(good)} good and {len(bad)} bad files, {failures} failures")
    sys.exit(1 if failures or not good or not bad else 0)


main()
