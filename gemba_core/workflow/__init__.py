"""Script-driven skills: a state machine says what to do next, a loop that knows no phases does it.

Source: spec 002, "Script-Driven Skill Pattern".
"""
