"""What Gemba's commands share. Upper rooms import lower ones, never the other way."""
