"""Saves tensors as a golden file that Rust's `tests::golden::load(name)` reads.

A generating script lies beside the file it makes and ends in `golden.save("name", q=q, k=k, output=output)`.
Run it with any Python that has PyTorch:  python tests/golden/name.py
"""

import pathlib
import sys

import torch

DIGITS = {torch.float32: 9, torch.float64: 17}  # enough to read back the very same number


def save(name, **tensors):
    """Writes `name.json` beside this file: shapes as PyTorch prints them, data in row-major order."""
    made_by = " ".join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]])
    lines = [f'"{key}": {_tensor(torch.as_tensor(value))}' for key, value in tensors.items()]
    version = torch.__version__.split("+")[0]
    text = f'{{"made_by": "{made_by}", "torch": "{version}", "tensors": {{\n' + ",\n".join(lines) + "\n}}\n"
    path = pathlib.Path(__file__).parent / f"{name}.json"
    path.write_text(text, encoding="utf-8")
    print(f"{path}: {', '.join(tensors)}")


def _tensor(tensor):
    tensor = tensor.detach().cpu()
    if tensor.dtype.is_floating_point:
        digits = DIGITS[tensor.dtype]
        data = [_number(value, digits) for value in tensor.flatten().tolist()]
    else:
        data = [str(int(value)) for value in tensor.flatten().tolist()]
    return f'{{"shape": {list(tensor.shape)}, "data": [{", ".join(data)}]}}'


def _number(value, digits):
    text = f"{value:.{digits}g}"
    return f'"{text}"' if text in ("inf", "-inf", "nan") else text
