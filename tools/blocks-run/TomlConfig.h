// TomlConfig: --config FILE.toml, read with toml++. Keys are option names; a
// table named like a subcommand holds that subcommand's options:
//
//   [train]
//   data = "fashion_mnist.hdf5"
//   epochs = 5
//   regularize = ["dropout(p=0.5)"]
#pragma once

#include <CLI/CLI.hpp>

namespace blocks::cli {

class TomlConfig : public CLI::Config {
public:
  std::string to_config(const CLI::App *, bool, bool,
                        std::string) const override;
  std::vector<CLI::ConfigItem> from_config(std::istream &input) const override;
};

} // namespace blocks::cli
