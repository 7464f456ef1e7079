// The hand-written program of objects/step.c, for the tests of the loader, of
// compiled programs and of the cache.
#pragma once

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

inline std::vector<std::byte> readBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  auto *begin = reinterpret_cast<const std::byte *>(text.data());
  return {begin, begin + text.size()};
}

inline const char *testManifest = R"({"abi":4,
  "state":[{"path":"/w.W","dtype":"f32","shape":[3,2],"roles":["weight"],
            "init":{"kind":"constant","values":{"value":1.5}},"for":""}],
  "entries":[
    {"name":"train","symbol":"blocks_entry_train","state":[0],"updates":[0],
     "sources":[{"name":"features","dtype":"f32","shape":[-1,3],
                 "axes":["batch","feature"]}],
     "outputs":[{"name":"y","dtype":"f32","shape":[-1,2],
                 "axes":["batch",""],"roles":["output"],"aggregate":"last"}]},
    {"name":"eval","symbol":"blocks_entry_eval","state":[],"updates":[],
     "sources":[{"name":"features","dtype":"f32","shape":[-1,3],
                 "axes":["batch","feature"]}],
     "outputs":[{"name":"sum","dtype":"f32","shape":[],"axes":[],
                 "roles":["cost"],"aggregate":"mean"}]}],
  "sites":[{"operation":"first","brick":"/a"},
           {"operation":"categorical_cross_entropy","brick":"/softmax"}],
  "warnings":["a note"],"model":[],"cpu":"x86-64-v2"})";
