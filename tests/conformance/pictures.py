# SPDX-License-Identifier: MIT
"""A page of what failed: each case with its status, its reason or that it is new, the end of its log and the pictures that the test compared.

A case that failed is run once more with its log, for the pictures; not those that hang."""
import html
import pathlib
import re
import tempfile
import xml.sax.saxutils

MAX_CASES = 200      # that are run again
LOG_CHARACTERS = 2000
IMAGE = re.compile(r'<Image\b([^>]*)>\s*([A-Za-z0-9+/=\s]+?)\s*</Image>')
TEXT = re.compile(r'<Text>(.*?)</Text>', re.S)
STYLE = 'body{font:14px sans-serif;max-width:70em;margin:2em auto}img{image-rendering:pixelated;min-width:96px;margin-right:8px;border:1px solid #888}' \
        'pre{white-space:pre-wrap;background:#eee;padding:8px}figure{display:inline-block;margin:4px}'


def attribute(text, name):
    match = re.search(rf'\b{name}="([^"]*)"', text)
    return xml.sax.saxutils.unescape(match[1]) if match else ''


def of_log(text):
    """(name, PNG in base64) of each picture, and what the test wrote."""
    images = [(attribute(head, 'Name'), re.sub(r'\s', '', data)) for head, data in IMAGE.findall(text) if attribute(head, 'CompressionMode') == 'PNG']
    return images, '\n'.join(xml.sax.saxutils.unescape(each) for each in TEXT.findall(text))


def log_of(deqp, name):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / 'case.qpa'
        deqp.execute([name], lambda *_: None, log=log, images='enable')
        return log.read_text(errors='replace') if log.exists() else ''


def section(name, result, label, log):
    images, text = of_log(log)
    parts = [f'<h2>{html.escape(name)}</h2><p><b>{html.escape(result.status)}</b> ({label}): {html.escape(result.detail)}</p>']
    parts += [f'<figure><img src="data:image/png;base64,{data}" alt=""><figcaption>{html.escape(title)}</figcaption></figure>' for title, data in images]
    if text:
        parts.append(f'<pre>{html.escape(text[-LOG_CHARACTERS:])}</pre>')
    return '\n'.join(parts)


def write_page(out, results, verdict, deqp):
    labels = [(verdict.new, 'new'), (verdict.flaky, 'flaky, new'), (verdict.known, 'known')]
    names = [(name, label) for group, label in labels for name in group]
    sections = []
    for number, (name, label) in enumerate(names):
        has_log = deqp and number < MAX_CASES and results[name].status not in ('Timeout', 'Missing')
        sections.append(section(name, results[name], label, log_of(deqp, name) if has_log else ''))
    title = f'{len(names)} of {len(results)} cases failed'
    (out / 'failures.html').write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style><h1>{title}</h1>\n' +
                                       '\n'.join(sections) + '\n')
