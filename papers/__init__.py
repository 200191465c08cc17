"""The experiments of the five papers, made again by singleout: published beside computed (`make papers`)."""
