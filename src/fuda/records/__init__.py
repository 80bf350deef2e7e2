from fuda.records.replay import replay
