#!/usr/bin/env python
"""Module doc."""
import os.path as p, sys
from .a.b import C as D, e
from x import *

# A constant.
LIMIT = 3
name: "int" = 4

@dec(1)
class A(Base, mod.Other, Generic[T], metaclass=Meta):
    """Doc of A."""
    field: List[int] = 1
    MOST = 7

    # Before.
    @property
    def f(self, x: Optional["str"]) -> Dict[str, mod.K]:
        '''Doc f.'''
        self.x.get(1).foo(2)
        def inner(): pass
        return os.path.join(x)
    def __init__(self): super().__init__()
