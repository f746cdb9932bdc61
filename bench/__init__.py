"""What Gemba promises about speed and memory, measured: `python -m bench [NAME...]`.

Everything is a ratio or stands beside its bound, since absolute times say
nothing on a shared machine. One file for each measurement.
"""
