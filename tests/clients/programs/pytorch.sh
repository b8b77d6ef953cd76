# what: PyTorch's Vulkan back end: arithmetic, products, softmax, means and resizing of tensors, beside its own CPU code
# packages: python3-torch
python3 "$OUT/../../programs/pytorch.py" >"$OUT/pytorch.txt" 2>&1 && code=0 || code=$?
verdict "$(tail -n 1 "$OUT/pytorch.txt")"
exit $code
