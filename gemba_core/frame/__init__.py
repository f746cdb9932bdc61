"""The wire: words, one line out, one line in.

`line` writes with the standard library alone, because sentinels import it;
`record` reads with msgspec, because the tail reads millions.
"""
