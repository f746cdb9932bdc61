"""`gemba adaptor`: one file for each command."""
