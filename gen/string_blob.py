# SPDX-License-Identifier: MIT
"""One blob of zero-terminated strings that tables point into by offset: no relocations at load time."""


class Strings:
    def __init__(self):
        self.offsets, self.order, self.size = {}, [], 0

    def add(self, text):
        if text not in self.offsets:
            self.offsets[text] = self.size
            self.order.append(text)
            self.size += len(text) + 1
        return self.offsets[text]

    def c_array(self, name):
        lines = '\n'.join(f'   "{text}\\0"' for text in self.order)
        return f'static const char {name}[] =\n{lines};\n'
