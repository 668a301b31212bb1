"""The resources of the API, one file each. Reach them through a client."""
