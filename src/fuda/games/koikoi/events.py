def events(a, b, c):
    return []
