"""Small renderers with telling names: faithful ones, and ones with one fault each.

`tests.fakes.registry` holds them by name. A faithful fake is faithful by the contract: its texts
are literal, every part's content stands in it, and who says what can be told. A faulty fake is a
faithful shape with one thing wrong, and states what the oracle has to say about it.
"""
